import { hasBigint, isInteger, readExact, withNumbers } from '../../src/exact-json.ts'
import { isPlainObject, Unread } from './draft.ts'

/** Reads JSON as it is typed; an empty text is no value. A text that would be sent as something else is not read. */
export function readJson(text: string): unknown {
  const value = readExactJson(text)
  const problem = hasBigint(value) ? lossIn(text, roundingOf) : undefined
  return problem === undefined ? withNumbers(value) : new Unread(text, problem)
}

/** The same, with bigints for long integers: requests keep all digits of them, files do not. */
export function readExactJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    const value = readExact(text)
    const problem = lossIn(text, fractionRounding)
    return problem === undefined ? value : new Unread(text, problem)
  } catch (error) {
    return new Unread(text, `No JSON yet: ${(error as Error).message}`)
  }
}

/** Reads JSON that has to be an object. */
export const readJsonObject = (text: string): unknown => objectOnly(text, readJson(text))

export const readExactJsonObject = (text: string): unknown => objectOnly(text, readExactJson(text))

function objectOnly(text: string, value: unknown): unknown {
  return value instanceof Unread || isPlainObject(value) ? value : new Unread(text, 'Expected a JSON object')
}

/** Reads a number as it is typed; an empty text is no value. */
export function parseNumber(text: string): unknown {
  const value = parseExactNumber(text)
  return typeof value === 'bigint' ? new Unread(text, roundingOf(text.trim()) ?? 'It is too long') : value
}

/** The same, with a bigint for a long integer. */
export function parseExactNumber(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (!isNumber(trimmed)) return new Unread(text, `Expected a number, got ${JSON.stringify(trimmed.slice(0, 50))}`)
  const problem = fractionRounding(trimmed)
  if (problem !== undefined) return new Unread(text, problem)
  // A number may begin with zeros here.
  return isInteger(trimmed) ? readExact(String(BigInt(trimmed))) : Number(trimmed)
}

/** Whether a text is written as a number is in JSON. */
export const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)

/** The page and the backend walk through values by recursion. */
const maxDepth = 500
const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/g

/** Finds parts of valid JSON that parsing would change silently: a number that is rounded, a member that is there twice. */
function lossIn(text: string, rounding: (typed: string) => string | undefined): string | undefined {
  const open: (Set<string> | undefined)[] = []
  for (const [token, name, colon] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      if (open.push(token === '{' ? new Set() : undefined) > maxDepth) return `It is nested deeper than ${maxDepth}`
    } else if (token === '}' || token === ']') open.pop()
    else if (name === undefined) {
      const problem = rounding(token)
      if (problem !== undefined) return problem
    } else if (colon !== undefined) {
      const names = open.at(-1)
      const read = JSON.parse(`"${name}"`) as string
      if (names?.has(read)) return `The member ${JSON.stringify(read.slice(0, 50))} is there twice`
      names?.add(read)
    }
  }
  return undefined
}

/** Integers can be sent as they are typed, of any length. */
const fractionRounding = (typed: string): string | undefined => (isInteger(typed) ? undefined : roundingOf(typed))

/** Why a number cannot be kept as it is typed. */
function roundingOf(typed: string): string | undefined {
  const value = Number(typed)
  if (Number.isFinite(value) && sameNumber(typed, String(value))) return undefined
  const sent = Number.isFinite(value) ? `it would be sent as ${value}` : 'it is too large'
  return `${typed.slice(0, 50)} cannot be sent: ${sent}`
}

const sameNumber = (one: string, other: string): boolean => normal(one) === normal(other)

/** A number as its digits and the place of its point, however it is written. */
function normal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  return `${sign}${kept}e${Number(exponent) - fraction.length + (digits.length - kept.length)}`
}
