import type { JsonObject } from '@tenon/sdk/client'

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a value is, for a sentence. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? excerpt(JSON.stringify(value)) : String(value)
}

/** The beginning of a text that may be long. */
export const excerpt = (text: string, length = 80): string =>
  text.length > length ? `${text.slice(0, length)}…` : text

/** A value in one line that may be cut. */
export const show = (value: unknown, length = 80): string => excerpt(JSON.stringify(value) ?? 'nothing', length)
