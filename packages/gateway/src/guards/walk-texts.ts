const maxDepth = 200

/** The base64 of pictures, sounds and files. */
const isBinary = (name: string, owner: object): boolean => name === 'blob' || (name === 'data' && 'mimeType' in owner)

/**
 * A copy of a value with other texts, names of members included; the same value if none differs. Throws a `RangeError` if
 * the value is nested too deep.
 */
export function mapTexts<Value>(value: Value, change: (text: string) => string, depth = 0): Value {
  if (typeof value === 'string') return change(value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) throw new RangeError(`nested deeper than ${maxDepth}`)
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts<unknown>(item, change, depth + 1))
    return items.some((item, at) => item !== value[at]) ? (items as Value) : value
  }
  let isChanged = false
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const mapped: [string, unknown] = [
      change(name),
      isBinary(name, value) ? member : mapTexts<unknown>(member, change, depth + 1),
    ]
    isChanged ||= mapped[0] !== name || mapped[1] !== member
    return mapped
  })
  return isChanged ? (Object.fromEntries(members) as Value) : value
}
