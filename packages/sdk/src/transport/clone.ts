/** True while every object inherits enumerable members. */
let polluted = false

function hasMembers(value: object): boolean {
  for (const _ in value) return true
  return false
}

/** Thrown inside `cloneJson` when the value is deeper than allowed. */
const tooDeep = Symbol('too deep')

/**
 * A copy of the value as it would arrive as JSON text: several times faster than writing and parsing it. Throws the
 * `TypeError` of `JSON.stringify` for values that JSON cannot carry; returns undefined if nested too deep.
 */
export function cloneJson(value: unknown, maxDepth: number): { value: unknown } | undefined {
  polluted = hasMembers(Object.prototype)
  try {
    return { value: clone(value, maxDepth) }
  } catch (thrown) {
    if (thrown !== tooDeep) throw thrown
    // Either a cycle, which `JSON.stringify` reports as such, or honest depth.
    JSON.stringify(value)
    return undefined
  }
}

function clone(value: unknown, levels: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      // JSON has no NaN, no infinities and no negative zero.
      return Number.isFinite(value) ? value + 0 : null
    case 'object':
      return value === null ? null : cloneObject(value, levels)
    case 'bigint':
      return throughText(value, levels)
    default:
      return undefined
  }
}

function cloneObject(value: object, levels: number): unknown {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return throughText(value, levels)
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  if (!isPlain && !Array.isArray(value)) return throughText(value, levels)
  if (levels === 0) throw tooDeep
  return isPlain ? cloneMembers(value as Record<string, unknown>, levels - 1) : cloneItems(value as [], levels - 1)
}

function cloneItems(source: readonly unknown[], levels: number): unknown[] {
  const items = new Array<unknown>(source.length)
  for (let i = 0; i < items.length; i++) items[i] = clone(source[i], levels) ?? null
  return items
}

function cloneMembers(source: Record<string, unknown>, levels: number): Record<string, unknown> {
  const target: Record<string, unknown> = {}
  // The fastest way through an object, by a third; a list of its names would have to be made first.
  for (const name in source) {
    if (polluted && !Object.hasOwn(source, name)) continue
    const found = source[name]
    const member = typeof found === 'string' ? found : clone(found, levels)
    if (member === undefined) continue
    if (name === '__proto__')
      Object.defineProperty(target, name, { value: member, enumerable: true, configurable: true, writable: true })
    else target[name] = member
  }
  return target
}

// Dates, boxed values, class instances with `toJSON`: left to JSON itself.
function throughText(value: object | bigint, levels: number): unknown {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : clone(JSON.parse(text), levels)
}
