export { isObject } from '../jsonrpc/classify.ts'

/** An own member of the object; `undefined` counts as absent because JSON has no such value. */
export function own(object: Record<string, unknown>, name: string): unknown {
  const value = object[name]
  return value !== undefined && Object.hasOwn(object, name) ? value : undefined
}

/** The JSON type of a value, for messages. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** A value in a message: short, on one line. */
export function preview(value: unknown): string {
  if (typeof value === 'object' && value !== null) return typeName(value)
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value)
  return text.length > 50 ? `${text.slice(0, 47)}...` : text
}

/** Number of code points, as JSON Schema counts string length. */
export function codePoints(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index++, count++) {
    if (text.codePointAt(index)! > 0xffff) index++
  }
  return count
}

/** Pays for the steps of a comparison; may throw to stop it. */
type Pay = (steps: number) => void

/** Equality of JSON values: the order of members does not matter, 1 and 1.0 are the same. */
export function isEqual(one: unknown, other: unknown, pay: Pay): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) || Array.isArray(other)) return areEqualLists(one, other, pay)
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  pay(names.length)
  return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name as never], other[name as never], pay))
}

function areEqualLists(one: unknown, other: unknown, pay: Pay): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  pay(one.length)
  return one.every((item, index) => isEqual(item, other[index], pay))
}

const maxTextDepth = 500

/** A text that is the same for equal values only, or nothing if the value is nested too deep. */
export function canonicalText(value: unknown, pay: Pay, depth = 0): string | undefined {
  if (depth > maxTextDepth) return undefined
  pay(typeof value === 'string' ? 1 + (value.length >> 4) : 1)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const parts: string[] = []
  const isList = Array.isArray(value)
  const members = isList ? value.entries() : Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [name, member] of members) {
    const text = canonicalText(member, pay, depth + 1)
    if (text === undefined) return undefined
    parts.push(isList ? text : `${JSON.stringify(name)}:${text}`)
  }
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`
}
