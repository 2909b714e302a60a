/** A value in an error message: `nothing`, `a list`, `"text"`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? excerpt(JSON.stringify(value)) : String(value)
}

/** The beginning of a text that may be long. */
export const excerpt = (text: string, length = 80): string =>
  text.length > length ? `${text.slice(0, length)}…` : text

/** A value as JSON in one line, cut at a length. */
export const jsonExcerpt = (value: unknown, length = 80): string => excerpt(JSON.stringify(value) ?? 'nothing', length)
