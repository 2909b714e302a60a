/** A place in a front matter that cannot be read, by line of the front matter. */
export class YamlError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.name = 'YamlError'
    this.line = line
  }
}

const int = /^[-+]?\d+$/
const based = /^0(?:o[0-7]+|x[\da-f]+)$/i
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i
const notInJson = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/

const words: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ['', null],
  ['~', null],
  ...['null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
])

/** What an unquoted word means, by the core schema of YAML 1.2: `yes` and dates are strings. */
export function plainValue(text: string, line: number): string | number | boolean | null {
  const word = words.get(text)
  if (word !== undefined) return word
  if (notInJson.test(text)) throw new YamlError(line, `${text} cannot be said in JSON; put it in quotes`)
  if (int.test(text) || float.test(text) || based.test(text)) return finite(Number(text), text, line)
  return text
}

function finite(value: number, text: string, line: number): number {
  if (Number.isFinite(value)) return value === 0 ? 0 : value
  throw new YamlError(line, `${text.slice(0, 40)} is too large a number; put it in quotes`)
}

const refused: ReadonlyMap<string, string> = new Map([
  ['&', 'anchors are not supported'],
  ['*', 'aliases are not supported; a value that starts with * needs quotes'],
  ['!', 'tags are not supported; a value that starts with ! needs quotes'],
  ['%', 'a value cannot start with %; put it in quotes'],
  ['@', 'a value cannot start with @; put it in quotes'],
  ['`', 'a value cannot start with `; put it in quotes'],
  [',', 'a value cannot start with a comma; put it in quotes'],
  [']', 'there is no [ that this closes'],
  ['}', 'there is no { that this closes'],
  ['|', 'a block of text cannot start here'],
  ['>', 'a block of text cannot start here'],
])

/** Refuses an unquoted text that YAML, or this part of it, gives another meaning. */
export function checkPlainStart(text: string, line: number): void {
  const problem = refused.get(text[0] ?? '')
  if (problem !== undefined) throw new YamlError(line, problem)
  if (/^[?:-](?:\s|$)/.test(text)) throw new YamlError(line, `expected a value, got ${JSON.stringify(text[0])}`)
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
])

const hexDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/** What follows a backslash in double quotes: the text it stands for, and how many characters it takes. */
export function readEscape(rest: string, line: number): { text: string; length: number } {
  const letter = rest[0] ?? ''
  const simple = escapes.get(letter)
  if (simple !== undefined) return { text: simple, length: 1 }
  const digits = hexDigits.get(letter) ?? 0
  const hex = rest.slice(1, 1 + digits)
  const code = Number.parseInt(hex, 16)
  if (digits === 0 || hex.length < digits || !/^[\da-f]+$/i.test(hex) || code > 0x10ffff) {
    throw new YamlError(line, `\\${rest.slice(0, 1 + digits)} is not an escape`)
  }
  return { text: String.fromCodePoint(code), length: 1 + digits }
}
