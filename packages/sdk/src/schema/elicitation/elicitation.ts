import { McpError } from '../../errors.ts'
import type { ElicitationField, ElicitationSchema } from '../../model/elicitation.ts'
import type { JsonSchema } from '../../model/tools.ts'
import { isObject, own } from '../value.ts'
import { toField } from './field.ts'

/** Refuses a schema as a form, with the path and the reason. */
export type RefuseForm = (path: string, reason: string) => never

// `additionalProperties` means nothing to a form, and annotations of the root have no place in it.
const ignoredAtRoot = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'additionalProperties',
  'examples',
])

/**
 * The flat form for an object schema, in the small subset of JSON Schema that clients can show.
 *
 * Left out are checks that the form cannot express and the server repeats on the answer with the original schema:
 * `pattern`, formats other than email, uri, date and date-time, `multipleOf`, `uniqueItems`, exclusive bounds of
 * fractions. Anything else outside the subset is an `invalid_definition` with its path.
 */
export function toElicitationSchema(schema: JsonSchema, what: string): ElicitationSchema {
  const refuse: RefuseForm = (path, reason) => {
    throw new McpError('invalid_definition', `${what}: ${path}: ${reason}`)
  }
  const root = dereference(schema, schema, '#', refuse)
  if (root.type !== 'object')
    return refuse('#', `expected an object of fields, got ${JSON.stringify(root.type) ?? 'a schema without type'}`)
  for (const keyword of Object.keys(root)) {
    const isKnown =
      ignoredAtRoot.has(keyword) || keyword === 'type' || keyword === 'properties' || keyword === 'required'
    if (!isKnown) return refuse('#', `'${keyword}' cannot be part of a form`)
  }
  const required = new Set(Array.isArray(root.required) ? (root.required as string[]) : [])
  const fields = Object.entries(isObject(root.properties) ? root.properties : {}).map(
    ([name, field]): [string, ElicitationField] => {
      const path = `#/properties/${name}`
      return [name, toField(dereference(field, schema, path, refuse), { path, refuse, isRequired: required.has(name) })]
    },
  )
  const names = fields.map(([name]) => name).filter((name) => required.has(name))
  return { type: 'object', properties: Object.fromEntries(fields), ...(names.length > 0 && { required: names }) }
}

/** Follows references inside the document: libraries move schemas that are used twice to `$defs`. */
function dereference(schema: unknown, root: JsonSchema, path: string, refuse: RefuseForm): JsonSchema {
  let current = schema
  for (let hops = 0; hops < 10; hops++) {
    if (!isObject(current)) return refuse(path, 'expected the schema of a field')
    const { $ref, ...rest } = current
    if ($ref === undefined) return current
    const [, holder, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String($ref)) ?? []
    const holders = holder === undefined ? undefined : own(root, holder)
    const target = isObject(holders) ? own(holders, name!.replaceAll('~1', '/').replaceAll('~0', '~')) : undefined
    if (!isObject(target)) return refuse(path, `'${$ref}' does not point to a field`)
    current = { ...target, ...rest }
  }
  return refuse(path, 'the reference leads in a circle')
}
