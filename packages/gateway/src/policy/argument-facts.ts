import type { JsonObject } from '@tenon/sdk/client'

/** A value of a peer for expressions, with its size. */
export interface ArgumentFacts {
  /** Objects are maps: a member named `constructor` is one like any other. */
  readonly value: unknown
  /** Members and items at any depth. */
  readonly elements: number
  /** Characters of texts and names. */
  readonly chars: number
}

const maxDepth = 100

/** Converts a value and measures it. One that is nested too deep is refused by every expression that reads it. */
export function argumentFacts(object: JsonObject): ArgumentFacts {
  let [elements, chars] = [0, 0]
  const convert = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') chars += value.length
    if (typeof value !== 'object' || value === null) return value
    if (depth > maxDepth) throw new RangeError(`nested deeper than ${maxDepth}`)
    if (Array.isArray(value)) {
      elements += value.length
      return value.map((item) => convert(item, depth + 1))
    }
    const map = new Map<string, unknown>()
    for (const [name, member] of Object.entries(value)) {
      elements++
      chars += name.length
      map.set(name, convert(member, depth + 1))
    }
    return map
  }
  try {
    const value = convert(object, 0)
    return { value, elements, chars }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { value: undefined, elements: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY }
  }
}
