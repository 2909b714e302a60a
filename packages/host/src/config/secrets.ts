import type { ServerEntry } from './model.ts'
import { mapTexts, syntaxOf, textsOf } from './texts.ts'
import { partsOf, type Syntax } from './variables.ts'

/** A text of an entry that looks like a secret, in whole or in part. */
export interface Secret {
  path: readonly (string | number)[]
  /** The part that is secret. */
  value: string
}

const mask = '…'
/** Names of things that are secret. */
const secretName =
  /(?:^|[^a-z])(?:key|token|secret|password|passwd|pwd|passphrase|auth|authorization|credentials?|cookie|session|pat|dsn|private|signature)(?:$|[^a-z])|apikey|accesskey|authtoken|accesstoken|connectionstring/i
/** What keys of well-known services look like, tokens of three parts, and long texts that no person would type. */
const secretText =
  /^(?:sk|pk|rk)[-_][\w-]{12,}$|^(?:gh[pousr]|glpat|github_pat|xox[a-z]|hf|npm|pypi|dop_v1|shp(?:at|ss)|lin_api|ntn|secret|pat)[-_][\w-]{10,}$|^A(?:KIA|SIA)[0-9A-Z]{12,}$|^AIza[\w-]{20,}$|^eyJ[\w-]+\.[\w-]+\.[\w-]*$|^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/_=-]{32,}$/

const words = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
const isSecretName = (name: string): boolean => secretName.test(words(name))

/** The texts of an entry that look like secrets. A guess: it errs on the side of taking too much for one. */
export function secretsOf(entry: ServerEntry): Secret[] {
  const syntax = syntaxOf(entry)
  const found: Secret[] = []
  const args = entry.transport.kind === 'stdio' ? entry.transport.args : []
  for (const { text, path } of textsOf(entry)) {
    for (const value of secretsIn(text, path, args)) if (!isOnlyVariables(value, syntax)) found.push({ path, value })
  }
  return found
}

/** A copy for the eyes of others, with `…` instead of what looks secret. */
export function maskSecrets<Entry extends ServerEntry>(entry: Entry): Entry {
  const secrets = secretsOf(entry)
  const masked = mapTexts(entry, (text, path) => {
    const here = secrets.filter((secret) => secret.path.join('\0') === path.join('\0'))
    return here.reduce((shown, { value }) => shown.replaceAll(value, mask), text)
  })
  const { transport } = masked
  if (transport.kind === 'stdio' || transport.variables === undefined) return masked as Entry
  const variables = Object.fromEntries(Object.keys(transport.variables).map((name) => [name, mask]))
  return { ...masked, transport: { ...transport, variables } } as Entry
}

/** The secret parts of one text. */
function secretsIn(text: string, path: readonly (string | number)[], args: readonly string[]): string[] {
  const [member, name] = path
  if (text === '') return []
  if (member === 'env' && isSecretName(String(name))) return [text]
  if (member === 'headers') return secretsInHeader(String(name), text)
  if (member === 'auth') return name === 'clientSecret' ? [text] : []
  if (member === 'args') return secretsInArgument(text, args[Number(name) - 1])
  return secretsInText(text)
}

/** The scheme of an `Authorization` header is no secret. */
function secretsInHeader(name: string, text: string): string[] {
  const [, credentials] = /^\s*(?:Bearer|Basic|Token|ApiKey|DPoP)\s+(.+)$/is.exec(text) ?? []
  if (credentials !== undefined) return [credentials.trim()]
  return isSecretName(name) ? [text] : secretsInText(text)
}

/** `--token value`, `--token=value`, `-e TOKEN=value` and `--header "Name: value"`. */
function secretsInArgument(text: string, before: string | undefined): string[] {
  if (before !== undefined && /^--?[\w-]+$/.test(before) && isSecretName(before) && !text.startsWith('-')) return [text]
  const [, name, value] = /^(-{0,2}[\w.-]+)=(.+)$/s.exec(text) ?? []
  if (name !== undefined && value !== undefined && isSecretName(name)) return [value]
  const [, header, content] = /^([\w-]+):\s*(.+)$/s.exec(text) ?? []
  if (header !== undefined && content !== undefined && !content.startsWith('//')) {
    const inHeader = secretsInHeader(header, content)
    if (inHeader.length > 0) return inHeader
  }
  return value === undefined ? secretsInText(text) : secretsInText(value)
}

/** Credentials in URLs, and texts that look like keys. */
function secretsInText(text: string): string[] {
  if (secretText.test(text)) return [text]
  const [, password] = /^[a-z][\w+.-]*:\/\/[^/?#\s@]*?:([^/?#\s@]+)@/i.exec(text) ?? []
  const [, query = ''] = /^[a-z][\w+.-]*:\/\/[^?#]*\?([^#]*)/i.exec(text) ?? []
  const inQuery = query.split('&').flatMap((pair) => {
    const at = pair.indexOf('=')
    const value = pair.slice(at + 1)
    const secret = at > 0 && value !== '' && (isSecretName(pair.slice(0, at)) || secretText.test(value))
    return secret ? [value] : []
  })
  return password === undefined ? inQuery : [password, ...inQuery]
}

/** The name of a variable gives nothing away. */
const isOnlyVariables = (value: string, syntax: Syntax): boolean =>
  partsOf(value, syntax).every((part) => typeof part !== 'string' || part.trim() === '')
