/** Words that a name of a secret contains. */
const secretWords: ReadonlySet<string> = new Set([
  'apikey',
  'authorization',
  'bearer',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'jwt',
  'passphrase',
  'passwd',
  'password',
  'passwords',
  'pwd',
  'secret',
  'secrets',
  'token',
  'tokens',
])
/** With one of these before it, a `key` is a secret. */
const secretKeys: ReadonlySet<string> = new Set(['access', 'api', 'auth', 'encryption', 'private', 'signing'])
/** Tokens that open nothing: they say where a list goes on, or which request is meant. */
const harmless: ReadonlySet<string> = new Set(['continuation', 'next', 'page', 'progress', 'sync'])

// The same few names come again and again, and taking them apart costs more than all the rest.
const verdicts = new Map<string, boolean>()
const maxVerdicts = 5_000

/** Whether a member with this name holds a secret: `apiKey`, `ACCESS_TOKEN`, `client-secret`, but not `author`. */
export function isSecretName(name: string): boolean {
  const known = verdicts.get(name)
  if (known !== undefined) return known
  const verdict = soundsSecret(name)
  if (verdicts.size < maxVerdicts && name.length <= 100) verdicts.set(name, verdict)
  return verdict
}

function soundsSecret(name: string): boolean {
  const words = wordsOf(name)
  return words.some((word, index) => {
    const before = words[index - 1] ?? ''
    if (word === 'key' || word === 'keys') return secretKeys.has(before)
    return secretWords.has(word) && !(word.startsWith('token') && harmless.has(before))
  })
}

const wordsOf = (name: string): string[] =>
  name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)

/** Members whose strings are all secret, whatever their names: variables of a process. */
export const isSecretObject = (name: string): boolean => /^env(?:ironment)?$/i.test(name)

/** Members that describe values and hold none: a property `password` of a schema is no password. */
export const isSchemaName = (name: string): boolean =>
  name === 'inputSchema' || name === 'outputSchema' || name === 'requestedSchema'
