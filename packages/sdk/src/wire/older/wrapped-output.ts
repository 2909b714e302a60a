import type { JsonObject } from '../../jsonrpc/message.ts'
import { isObject } from '../change.ts'

/** The values that a schema allows. */
type Kind = 'object' | 'other' | 'both'

/** A peer's schema may refer to itself in every branch; one that takes more to understand is taken for `both`. */
const maxVisits = 1_000

/** Members that hold data, in which `$ref` means nothing. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])

/**
 * An output schema whose root is an object. Other values travel as `{ result: value }`: a schema of them has the same
 * shape, and a schema of both allows either.
 */
export function wrapOutputSchema(schema: JsonObject): JsonObject {
  if (schema.type === 'object') return schema
  const kind = kindOf(schema, schema, { visits: maxVisits })
  if (kind === 'object') return { ...schema, type: 'object' }
  const { $schema, ...rest } = schema
  return { ...($schema !== undefined && { $schema }), ...(kind === 'other' ? wrapped(rest) : wrappedOrNot(rest)) }
}

const wrapped = (schema: JsonObject): JsonObject => ({
  type: 'object',
  properties: { result: moved(schema, '/properties/result') },
  required: ['result'],
})

function wrappedOrNot(schema: JsonObject): JsonObject {
  const output = { $ref: '#/$defs/output' }
  return {
    type: 'object',
    anyOf: [output, { properties: { result: output }, required: ['result'] }],
    $defs: { output: moved(schema, '/$defs/output') },
  }
}

/** A schema that no longer is the root: references to the root follow it. With an `$id` it stays a root of its own. */
function moved(schema: JsonObject, to: string): JsonObject {
  if (typeof schema.$id === 'string') return schema
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === '$ref' && typeof value === 'string') return [name, movedReference(value, to)]
      return [name, data.has(name) ? value : movedWithin(value, to)]
    }),
  )
}

function movedWithin(value: unknown, to: string): unknown {
  if (Array.isArray(value)) return value.map((item) => movedWithin(item, to))
  return isObject(value) ? moved(value, to) : value
}

/** Other references name an anchor or another schema, wherever that is. */
const movedReference = (reference: string, to: string): string =>
  reference === '#' || reference.startsWith('#/') ? `#${to}${reference.slice(1)}` : reference

function kindOf(schema: unknown, root: JsonObject, budget: { visits: number }): Kind {
  if (!isObject(schema) || --budget.visits < 0) return 'both'
  const { type, anyOf = schema.oneOf, $ref } = schema
  if (typeof type === 'string' || Array.isArray(type))
    return join([type].flat().map((one) => kindOfType(one === 'object')))
  if (Object.hasOwn(schema, 'const')) return kindOfType(isObject(schema.const))
  if (Array.isArray(schema.enum)) return join(schema.enum.map((one) => kindOfType(isObject(one))))
  if (Array.isArray(anyOf)) return joinBranches(anyOf, root, budget)
  return typeof $ref === 'string' ? kindOf(lookUp(root, $ref), root, budget) : 'both'
}

function joinBranches(branches: readonly unknown[], root: JsonObject, budget: { visits: number }): Kind {
  let joined: Kind | undefined
  for (const branch of branches) {
    const kind = kindOf(branch, root, budget)
    joined = joined === undefined ? kind : join([joined, kind])
    if (joined === 'both') return joined
  }
  return joined ?? 'both'
}

const kindOfType = (isObjectType: boolean): Kind => (isObjectType ? 'object' : 'other')

const join = (kinds: readonly Kind[]): Kind => kinds.find((kind) => kinds.every((other) => other === kind)) ?? 'both'

/** The value at a pointer in the schema itself. Names with escapes are not worth the effort: nothing is found then. */
function lookUp(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return reference === '#' ? root : undefined
  let found: unknown = root
  for (const step of reference.slice(2).split('/')) {
    if (!isObject(found) || !Object.hasOwn(found, step)) return undefined
    found = found[step]
  }
  return found
}
