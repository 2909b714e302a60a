import { McpError } from '../errors.ts'
import { pointTo } from './registry.ts'
import { typeName } from './value.ts'

const maxDepth = 1000

/**
 * A frozen copy of a JSON value with the same members in the same order, so that a definition cannot change after it
 * was checked. Values that JSON would drop or change on their way to the peer are refused, with their path.
 */
export const copyJson = (value: unknown, what: string): unknown => copy(value, what, [])

/** `path` leads to the value: one list that grows and shrinks, because only a refusal needs it as text. */
function copy(value: unknown, what: string, path: (string | number)[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (typeof value !== 'object') return refuse(what, path, typeof value === 'number' ? String(value) : typeName(value))
  if (path.length > maxDepth) return refuse(what, path, 'a value that is nested too deep or contains itself')
  if (Array.isArray(value)) return Object.freeze(value.map((item, index) => copyAt(item, what, path, index)))
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return refuse(what, path, `an instance of ${value.constructor.name}`)
  const members: { [name: string]: unknown } = {}
  for (const name of Object.keys(value)) {
    const member = (value as { [name: string]: unknown })[name]
    if (member !== undefined) setOwn(members, name, copyAt(member, what, path, name))
  }
  return Object.freeze(members)
}

function copyAt(value: unknown, what: string, path: (string | number)[], at: string | number): unknown {
  path.push(at)
  const copied = copy(value, what, path)
  path.pop()
  return copied
}

/** Assigning to `__proto__` would set the prototype. */
function setOwn(object: { [name: string]: unknown }, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function refuse(what: string, path: readonly (string | number)[], found: string): never {
  const pointer = path.reduce<string>(pointTo, '#')
  throw new McpError('invalid_definition', `${what}: expected JSON at ${pointer}, got ${found}`)
}
