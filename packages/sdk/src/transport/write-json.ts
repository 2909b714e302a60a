/**
 * As `JSON.stringify`, with the digits of bigints: JSON has integers of any length, and numbers round those beyond 2^53.
 * Throws the `TypeError` of `JSON.stringify` for any other value that JSON cannot carry.
 */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    return writeWithBigints(value, error)
  }
}

function writeWithBigints(value: unknown, error: unknown): string {
  // Nobody who wrote a text in the value can know it.
  const mark = crypto.randomUUID()
  let hasBigint = false
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'bigint') return member
    hasBigint = true
    return `${mark}${member}`
  })
  if (!hasBigint) throw error
  return text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}
