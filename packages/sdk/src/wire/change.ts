import { isObject } from '../jsonrpc/classify.ts'
import type { JsonObject } from '../jsonrpc/message.ts'

export { isObject }

/** Rewrites a value. Never throws, never mutates; returns its argument if nothing changes. */
export type ShapeChange = (value: JsonObject) => JsonObject

/** Both changes, one after the other. */
export function compose(first: ShapeChange | undefined, second: ShapeChange | undefined): ShapeChange | undefined {
  if (!first || !second) return first ?? second
  return (value) => second(first(value))
}

/** The value without some members. */
export const omit = (value: JsonObject, ...names: readonly string[]): JsonObject => without(value, names)

/** Separate, because passing names on one by one costs more than to look for them. */
function without(value: JsonObject, names: readonly string[]): JsonObject {
  for (const name of names) {
    if (Object.hasOwn(value, name)) {
      return Object.fromEntries(Object.entries(value).filter(([member]) => !names.includes(member)))
    }
  }
  return value
}

/**
 * The value with this member. A new one comes before the others, and those of every message are named here, because V8
 * takes ten times as long for a member that follows a spread, and for one whose name it cannot see.
 */
export function withMember(value: JsonObject, name: string, member: unknown): JsonObject {
  if (Object.hasOwn(value, name)) return { ...value, [name]: member }
  if (name === '_meta') return { _meta: member, ...value }
  if (name === 'resultType') return { resultType: member, ...value }
  return { [name]: member, ...value }
}

/** A change that omits members. */
export const omitting =
  (...names: readonly string[]): ShapeChange =>
  (value) =>
    without(value, names)

/** Changes one member, if it is an object. */
export function changeMember(value: JsonObject, name: string, change: ShapeChange): JsonObject {
  const before = Object.hasOwn(value, name) ? value[name] : undefined
  if (!isObject(before)) return value
  const after = change(before)
  return after === before ? value : { ...value, [name]: after }
}

/** Changes every object in an array. The array is copied at the first one that differs. */
export function changeItems(items: readonly unknown[], change: ShapeChange): readonly unknown[] {
  let changed: unknown[] | undefined
  for (let index = 0; index < items.length; index++) {
    const before = items[index]
    if (!isObject(before)) continue
    const after = change(before)
    if (after === before) continue
    changed ??= items.slice()
    changed[index] = after
  }
  return changed ?? items
}

/** Changes every object in an array member. */
export function changeMemberItems(value: JsonObject, name: string, change: ShapeChange): JsonObject {
  const before = value[name]
  if (!Array.isArray(before)) return value
  const after = changeItems(before, change)
  return after === before ? value : { ...value, [name]: after }
}

/** Changes every object among the values of a map. */
export function changeValues(value: JsonObject, change: ShapeChange): JsonObject {
  let changed = false
  const entries = Object.entries(value).map(([name, before]) => {
    const after = isObject(before) ? change(before) : before
    changed ||= after !== before
    return [name, after] as const
  })
  return changed ? Object.fromEntries(entries) : value
}
