import { credentialsIn, isSecretSetting } from '@tenon/sdk/display'
import type { ServerEntry } from './model.ts'
import { mapTexts, syntaxOf, textsOf } from './variables/entry-texts.ts'
import { partsOf, type Syntax } from './variables/syntaxes.ts'

/** A part of a text of an entry that looks like a secret. */
export interface Secret {
  /** The path of the text in the entry. */
  path: readonly (string | number)[]
  /** The start of the secret in the text. */
  start: number
  value: string
}

type Range = Pick<Secret, 'start' | 'value'>

/** The texts of an entry that look like secrets. A guess: it errs on the side of taking too much for one. */
export function secretsOf(entry: ServerEntry): Secret[] {
  const syntax = syntaxOf(entry)
  const args = entry.transport.kind === 'stdio' ? entry.transport.args : []
  return textsOf(entry).flatMap(({ text, path }) =>
    secretsIn(text, path, args)
      .filter(({ value }) => value !== '' && !isOnlyVariables(value, syntax))
      .map((range) => ({ path, ...range })),
  )
}

/** A copy for display, with `…` in place of secrets. */
export function maskSecrets<Entry extends ServerEntry>(entry: Entry): Entry {
  const byPath = grouped(secretsOf(entry))
  const masked = mapTexts(entry, (text, path) => withMasks(text, byPath.get(JSON.stringify(path)) ?? []))
  const { transport } = masked
  if (transport.kind === 'stdio' || transport.variables === undefined) return masked as Entry
  const variables = Object.fromEntries(Object.keys(transport.variables).map((name) => [name, '…']))
  return { ...masked, transport: { ...transport, variables } } as Entry
}

function withMasks(text: string, ranges: readonly Range[]): string {
  // From the end, so that earlier offsets stay valid.
  const backwards = [...ranges].sort((a, b) => b.start - a.start)
  return backwards.reduce(
    (shown, { start, value }) => `${shown.slice(0, start)}…${shown.slice(start + value.length)}`,
    text,
  )
}

/** A long text of letters and digits, such as no person would type. */
const random = /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9+_=-]{32,}$/

/** The secret parts of one text. */
function secretsIn(text: string, [member, name]: readonly (string | number)[], args: readonly string[]): Range[] {
  const whole = [{ start: 0, value: text }]
  if (member === 'env') return isSecretSetting(String(name)) ? whole : secretsInText(text)
  if (member === 'headers') return secretsInHeader(String(name), text)
  if (member === 'auth') return name === 'clientSecret' ? whole : []
  return member === 'args' ? secretsInArgument(text, args[Number(name) - 1]) : secretsInText(text)
}

/** The scheme of an `Authorization` header is no secret. */
function secretsInHeader(name: string, text: string): Range[] {
  const [before] = /^\s*(?:Bearer|Basic|Token|ApiKey|DPoP)\s+/i.exec(text) ?? []
  if (before !== undefined) return [tail(text, before.length)]
  return isSecretSetting(name) ? [tail(text, 0)] : secretsInText(text)
}

/** `--token value`, `--token=value`, `-e TOKEN=value` and `--header "Name: value"`. */
function secretsInArgument(text: string, before: string | undefined): Range[] {
  // An option that has its value in it (`--token=x`, `--token:x`) is followed by something else.
  const follows = before !== undefined && /^--?[A-Za-z][^=:]*$/.test(before) && isSecretSetting(before)
  if (follows && !text.startsWith('-')) return [tail(text, 0)]
  const [assigned, name] = /^-{0,2}([\w.-]+)=/.exec(text) ?? []
  if (assigned !== undefined) return valueAfter(text, assigned.length, isSecretSetting(name!))
  const [header, headerName] = /^([\w-]+):\s*(?!\/\/)/.exec(text) ?? []
  if (header === undefined || /^[A-Za-z]:\\/.test(text)) return secretsInText(text)
  return moved(secretsInHeader(headerName!, text.slice(header.length)), header.length)
}

const valueAfter = (text: string, start: number, secret: boolean): Range[] =>
  secret ? [tail(text, start)] : moved(secretsInText(text.slice(start)), start)

/** Credentials in URLs, and text that looks like one. */
function secretsInText(text: string): Range[] {
  if (random.test(text)) return [tail(text, 0)]
  const [scheme] = /^[a-z][\w+.-]*:\/\//i.exec(text) ?? []
  const inUrl = scheme === undefined ? [] : [...passwordIn(text, scheme.length), ...secretsInQuery(text)]
  const isFound = ({ start, value }: Range): boolean =>
    inUrl.some((other) => start < other.start + other.value.length && other.start < start + value.length)
  return [...inUrl, ...credentialsIn(text).filter((credential) => !isFound(credential))]
}

function passwordIn(text: string, start: number): Range[] {
  const [, user, password] = /^([^/?#\s@:]*:)([^/?#\s@]+)@/.exec(text.slice(start)) ?? []
  return user === undefined || password === undefined ? [] : [{ start: start + user.length, value: password }]
}

function secretsInQuery(text: string): Range[] {
  const found: Range[] = []
  for (const match of text.matchAll(/[?&]([^=&#]*)=([^&#]*)/g)) {
    const [all, name, value] = match as unknown as [string, string, string]
    if (isSecretSetting(name) || random.test(value))
      found.push({ start: match.index + all.length - value.length, value })
  }
  return found
}

const tail = (text: string, start: number): Range => ({ start, value: text.slice(start) })
const moved = (ranges: readonly Range[], by: number): Range[] =>
  ranges.map(({ start, value }) => ({ start: start + by, value }))

function grouped(secrets: readonly Secret[]): Map<string, Secret[]> {
  const groups = new Map<string, Secret[]>()
  for (const secret of secrets) {
    const path = JSON.stringify(secret.path)
    groups.set(path, [...(groups.get(path) ?? []), secret])
  }
  return groups
}

/** The name of a variable gives nothing away. */
const isOnlyVariables = (value: string, syntax: Syntax): boolean =>
  partsOf(value, syntax).every((part) => typeof part !== 'string' || part.trim() === '')
