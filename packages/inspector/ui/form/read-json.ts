import { isPlainObject, Unread } from './draft.ts'

/** Reads JSON as it is typed; an empty text is no value. A text that would be sent as something else is not read. */
export function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    const problem = lossIn(text)
    return problem === undefined ? value : new Unread(text, problem)
  } catch (error) {
    return new Unread(text, `No JSON yet: ${(error as Error).message}`)
  }
}

/** Reads JSON that has to be an object. */
export function readJsonObject(text: string): unknown {
  const value = readJson(text)
  return value instanceof Unread || isPlainObject(value) ? value : new Unread(text, 'Expected a JSON object')
}

/** Reads a number as it is typed; an empty text is no value. */
export function parseNumber(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (!isNumber(trimmed)) return new Unread(text, `Expected a number, got ${JSON.stringify(trimmed.slice(0, 50))}`)
  const problem = roundingOf(trimmed)
  return problem === undefined ? Number(trimmed) : new Unread(text, problem)
}

/** Whether a text is written as a number is in JSON. */
export const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)

/** The page and the backend walk through values by recursion. */
const maxDepth = 500
const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/g

/** Finds parts of valid JSON that parsing would change silently: a number that is rounded, a member that is there twice. */
function lossIn(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  for (const [token, name, colon] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      if (open.push(token === '{' ? new Set() : undefined) > maxDepth) return `It is nested deeper than ${maxDepth}`
    } else if (token === '}' || token === ']') open.pop()
    else if (name === undefined) {
      const rounding = roundingOf(token)
      if (rounding !== undefined) return rounding
    } else if (colon !== undefined) {
      const names = open.at(-1)
      const read = JSON.parse(`"${name}"`) as string
      if (names?.has(read)) return `The member ${JSON.stringify(read.slice(0, 50))} is there twice`
      names?.add(read)
    }
  }
  return undefined
}

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
