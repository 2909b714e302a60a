/** Signatures that are checked with a public key: with `HS256` that key would be the secret. */
export const publicKeyAlgorithms: readonly string[] = [
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
]
