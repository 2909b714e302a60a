import { McpError } from '../errors.ts'
import { pointTo } from './registry.ts'
import { typeName } from './value.ts'

const maxDepth = 1000

/**
 * A frozen copy of a JSON value with the same members in the same order, so that a definition cannot change after it was
 * checked. Whatever JSON would drop or change on its way to the peer is refused, with its place.
 */
export function copyJson(value: unknown, what: string, pointer = '#', depth = 0): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (typeof value !== 'object')
    return refuseJson(what, pointer, typeof value === 'number' ? String(value) : typeName(value))
  if (depth > maxDepth) return refuseJson(what, pointer, 'a value that is nested too deep or contains itself')
  if (Array.isArray(value))
    return Object.freeze(value.map((item, index) => copyJson(item, what, pointTo(pointer, index), depth + 1)))
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return refuseJson(what, pointer, `an instance of ${value.constructor.name}`)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.freeze(
    Object.fromEntries(
      members.map(([name, member]) => [name, copyJson(member, what, pointTo(pointer, name), depth + 1)]),
    ),
  )
}

function refuseJson(what: string, pointer: string, found: string): never {
  throw new McpError('invalid_definition', `${what}: expected JSON at ${pointer}, got ${found}`)
}
