// JSON whose long integers keep all their digits: those that a number cannot hold are bigints.

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/** Whether a text may hold integers that a number would round. */
export const mayRound = (text: string): boolean => /\d{16}/.test(text)

/** As `JSON.parse`, with a bigint for each integer that a number would round. */
export function readExact(text: string): unknown {
  if (!mayRound(text)) return JSON.parse(text)
  // Nobody who wrote the text can know it.
  const mark = crypto.randomUUID()
  const marked = text.replace(tokens, (token) => (isRounded(token) ? `"${mark}${token}"` : token))
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

/** As `JSON.stringify`, with the digits of bigints. */
export function writeExact(value: unknown, indent?: number): string {
  if (!hasBigint(value)) return JSON.stringify(value, undefined, indent)
  const mark = crypto.randomUUID()
  const text = JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'bigint' ? `${mark}${member}` : member),
    indent,
  )
  return text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}

/** The same value with numbers in the place of bigints, for code that knows only those. */
export const withNumbers = (value: unknown): unknown => (hasBigint(value) ? JSON.parse(writeExact(value)) : value)

const maxDigits = 1_000

/** Whether a text is an integer that is kept exactly, and not so long that reading it takes its time. */
export const isInteger = (text: string): boolean => text.length <= maxDigits && /^-?\d+$/.test(text)

const isRounded = (token: string): boolean => isInteger(token) && !Number.isSafeInteger(Number(token))

/** Whether there is a bigint anywhere in a value. */
export function hasBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? value.some(hasBigint) : Object.values(value).some(hasBigint)
}
