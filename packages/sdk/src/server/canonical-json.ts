import { isObject } from '../jsonrpc/classify.ts'

/** JSON that does not depend on the order of members: equal values give equal texts. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted) ?? 'null'

const sorted = (_key: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value

/**
 * A short print of a text, to notice a difference. It keeps no secret and withstands no attack: where it is compared, it
 * was sealed.
 */
export function printOf(text: string): string {
  let low = 0x811c9dc5
  let high = 0x9dc5811c
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ (low >>> 16), 0x85ebca6b)
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36)
}
