// Sizes in V8 without compressed pointers, rounded up. JSON text costs up to 25 times its length: `[{},{},{}]`.
const slotBytes = 8
const stringBytes = 24
const arrayBytes = 56
const objectBytes = 72
/** A member: its slot, and its part of the shape, which values with other names do not share. */
const memberBytes = 40
/** Objects with many members are hash tables. */
const tableMembers = 64
const tableMemberBytes = 72
const doubleBytes = 16

const isWide = /[^\0-\xff]/

/** The bytes of a string on the heap. */
export const heapBytesOfText = (text: string): number =>
  stringBytes + (text.length > 16 && isWide.test(text) ? 2 * text.length : text.length)

/**
 * The bytes that a JSON value takes on the heap, estimated from above. Stops counting beyond `enough`, so that checking
 * whether a value is small costs little.
 */
export function heapBytesOf(value: unknown, enough: number = Number.POSITIVE_INFINITY): number {
  if (typeof value !== 'object' || value === null) return heapBytesOfLeaf(value)
  let bytes = 0
  // An explicit stack: the transport bounds the depth of values, if anything does.
  const rest: object[] = [value]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    bytes += Array.isArray(next) ? arrayMembers(next, rest) : objectMembers(next, rest)
    if (bytes > enough) return bytes
  }
  return bytes
}

function arrayMembers(array: readonly unknown[], rest: object[]): number {
  let bytes = arrayBytes + slotBytes * array.length
  for (let index = 0; index < array.length; index++) bytes += memberOf(array[index], rest)
  return bytes
}

function objectMembers(object: object, rest: object[]): number {
  let bytes = objectBytes
  let count = 0
  for (const name in object) {
    bytes += memberBytes + heapBytesOfText(name) + memberOf((object as { [name: string]: unknown })[name], rest)
    count++
  }
  return count > tableMembers ? bytes + tableMemberBytes * count : bytes
}

function memberOf(value: unknown, rest: object[]): number {
  if (typeof value !== 'object' || value === null) return heapBytesOfLeaf(value)
  rest.push(value)
  return 0
}

function heapBytesOfLeaf(value: unknown): number {
  if (typeof value === 'string') return heapBytesOfText(value)
  return typeof value === 'number' && (value | 0) !== value ? doubleBytes : 0
}
