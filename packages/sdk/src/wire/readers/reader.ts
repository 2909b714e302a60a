import type { JsonObject } from '../../jsonrpc/message.ts'
import { isObject } from '../change.ts'

/** The place of an invalid value. */
export class Mismatch {
  readonly path: string
  readonly expected: string
  readonly found: string

  constructor(expected: string, found: string, path = '') {
    this.path = path
    this.expected = expected
    this.found = found
  }

  /** The same mismatch, seen from one level above. */
  under(step: string): Mismatch {
    return new Mismatch(this.expected, this.found, step + this.path)
  }

  toString(): string {
    return `expected ${this.expected}, got ${this.found}`
  }
}

/** Checks a value from a peer: returns it in the model, or throws with the place of the fault. */
export type Reader = (value: unknown) => unknown

export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : typeof value
}

const being =
  (expected: string, matches: (value: unknown) => boolean): Reader =>
  (value) =>
    matches(value) ? value : new Mismatch(expected, kindOf(value))

export const anything: Reader = (value) => value
export const string: Reader = being('a string', (value) => typeof value === 'string')
export const number: Reader = being('a number', (value) => typeof value === 'number')
export const boolean: Reader = being('a boolean', (value) => typeof value === 'boolean')
export const anyObject: Reader = being('an object', isObject)
export const idOrToken: Reader = being(
  'a string or an integer',
  (value) => typeof value === 'string' || Number.isSafeInteger(value),
)

export const oneOf = (values: readonly string[]): Reader => {
  const expected = `one of ${values.join(', ')}`
  return (value) => {
    if (typeof value !== 'string') return new Mismatch(expected, kindOf(value))
    return values.includes(value) ? value : new Mismatch(expected, JSON.stringify(value.slice(0, 40)))
  }
}

/** A member that may be absent. Several peers write `null` for that, so it counts as absent. */
export const optional =
  (read: Reader): Reader =>
  (value) =>
    value === undefined || value === null ? undefined : read(value)

/** A member that may be absent, with this default. */
export const orElse =
  (read: Reader, fallback: unknown): Reader =>
  (value) =>
    value === undefined || value === null ? fallback : read(value)

/** An object with these members. Others are kept as they are. */
export function object(members: { readonly [name: string]: Reader }): Reader {
  const names = Object.keys(members)
  const readers = Object.values(members)
  return (value) => {
    if (!isObject(value)) return new Mismatch('an object', kindOf(value))
    let result = value
    // Every message passes here several times: an index is cheaper than pairs, and most members are absent.
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!
      const found = value[name]
      const before = found !== undefined && Object.hasOwn(value, name) ? found : undefined
      const after = readers[index]!(before)
      if (after === before) continue
      if (after instanceof Mismatch) return after.under(`.${name}`)
      result = withMember(result, name, after)
    }
    return result
  }
}

function withMember(value: JsonObject, name: string, member: unknown): JsonObject {
  if (member !== undefined) return { ...value, [name]: member }
  const { [name]: _, ...rest } = value
  return rest
}

export const array =
  (read: Reader): Reader =>
  (value) => {
    if (!Array.isArray(value)) return new Mismatch('an array', kindOf(value))
    let result: unknown[] = value
    for (let index = 0; index < value.length; index++) {
      const after = read(value[index])
      if (after instanceof Mismatch) return after.under(`[${index}]`)
      if (after === value[index]) continue
      if (result === value) result = value.slice()
      result[index] = after
    }
    return result
  }

/** An object used as a map: every value is read; those that read as nothing are omitted. */
export const mapOf =
  (read: Reader): Reader =>
  (value) => {
    if (!isObject(value)) return new Mismatch('an object', kindOf(value))
    let changed = false
    const entries: [string, unknown][] = []
    for (const [name, before] of Object.entries(value)) {
      const after = read(before)
      if (after instanceof Mismatch) return after.under(`[${JSON.stringify(name.slice(0, 40))}]`)
      changed ||= after !== before
      if (after !== undefined) entries.push([name, after])
    }
    return changed ? Object.fromEntries(entries) : value
  }

/** An object whose string member `type` selects the reader. Unknown types are kept as they are. */
export function byType(readers: { readonly [type: string]: Reader }): Reader {
  const known = new Map(Object.entries(readers))
  const withType = object({ type: string })
  return (value) => {
    const typed = withType(value)
    if (typed instanceof Mismatch) return typed
    return known.get((typed as { type: string }).type)?.(value) ?? value
  }
}

/** Both readers, one after the other. */
export const inSequence =
  (first: Reader, second: Reader): Reader =>
  (value) => {
    const read = first(value)
    return read instanceof Mismatch ? read : second(read)
  }

export type ReadersByMethod = Pick<ReadonlyMap<string, Reader>, 'get'>

/** Readers that are created on first use: few peers use all methods. */
export function readersByMethod(makers: { readonly [method: string]: () => Reader }): ReadersByMethod {
  const made = new Map<string, Reader>()
  return {
    get(method) {
      const known = made.get(method)
      if (known !== undefined || !Object.hasOwn(makers, method)) return known
      const reader = makers[method]!()
      made.set(method, reader)
      return reader
    },
  }
}
