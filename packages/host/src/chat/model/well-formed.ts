/** Halves of characters: providers refuse a whole request because of one, and servers can put them anywhere. */
const half = /\p{Surrogate}/gu

/** A copy of a JSON value in which every text is valid Unicode. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.replace(half, '\ufffd') as T
  if (Array.isArray(value)) return value.map(wellFormed) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [wellFormed(name), wellFormed(item)])) as T
}
