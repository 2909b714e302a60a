/** Replaces secrets wherever a text has them: in messages of the server, of the network, of a function in the database. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  // A secret of one or two characters would be found in every word.
  return secrets
    .filter((secret) => secret.length > 2)
    .reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
}
