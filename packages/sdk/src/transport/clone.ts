/** Thrown inside `cloneJson` when the value is deeper than it was told to go. */
const tooDeep = Symbol('too deep')

/**
 * A copy of what would arrive if the value travelled as JSON text: several times faster than writing and parsing it.
 * Throws the `TypeError` of `JSON.stringify` for what JSON cannot carry; returns undefined if nested too deep.
 */
export function cloneJson(value: unknown, maxDepth: number): { value: unknown } | undefined {
  try {
    return { value: clone(value, maxDepth) }
  } catch (thrown) {
    if (thrown !== tooDeep) throw thrown
    // Either a cycle, which writing reports as such, or honest depth.
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
  if (!isPlain(value)) return throughText(value, levels)
  if (levels === 0) throw tooDeep
  if (Array.isArray(value)) {
    const items = new Array<unknown>(value.length)
    for (let i = 0; i < items.length; i++) items[i] = clone(value[i], levels - 1) ?? null
    return items
  }
  return cloneMembers(value as Record<string, unknown>, levels - 1)
}

function cloneMembers(source: Record<string, unknown>, levels: number): Record<string, unknown> {
  const target: Record<string, unknown> = {}
  for (const name of Object.keys(source)) {
    const member = clone(source[name], levels)
    if (member === undefined) continue
    if (name === '__proto__')
      Object.defineProperty(target, name, { value: member, enumerable: true, configurable: true, writable: true })
    else target[name] = member
  }
  return target
}

// Dates, boxed values, class instances with `toJSON`: JSON itself knows best what becomes of them.
function throughText(value: object | bigint, levels: number): unknown {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : clone(JSON.parse(text), levels)
}

function isPlain(value: object): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
