import fc from 'fast-check'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import type { Revision } from '../src/model/revision.ts'
import { definitionsOf } from './wire-schema.ts'

type Schema = JsonObject
type Definitions = { [name: string]: Schema }

// Some types contain themselves; below this depth only required members are generated.
const deepest = 10
const text = fc.string({ maxLength: 8 })

const formats: { [format: string]: fc.Arbitrary<string> } = {
  uri: fc.constantFrom('file:///a.txt', 'https://example.com/x?y=1', 'urn:isbn:0'),
  'uri-template': fc.constantFrom('file:///{path}', 'https://example.com/{a}/{b}'),
  byte: fc.base64String({ maxLength: 12 }),
}

/** Values that a named type of a revision allows. */
export function arbitraryOf(revision: Revision, type: string): fc.Arbitrary<unknown> {
  const definitions = definitionsOf(revision)
  return fromSchema(definitions[type] ?? {}, definitions, 0)
}

function fromSchema(schema: Schema, definitions: Definitions, depth: number): fc.Arbitrary<unknown> {
  const below = (inner: unknown) => fromSchema(inner as Schema, definitions, depth + 1)
  if (typeof schema.$ref === 'string') return below(definitions[schema.$ref.split('/').at(-1)!])
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map(below))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => below({ ...schema, type })))
  return fromType(schema, definitions, depth)
}

function fromType(schema: Schema, definitions: Definitions, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return formats[String(schema.format)] ?? text
    case 'integer':
      return fc.integer({ min: (schema.minimum as number) ?? -5, max: (schema.maximum as number) ?? 1000 })
    case 'number':
      return fc.double({ min: (schema.minimum as number) ?? -5, max: (schema.maximum as number) ?? 5, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      if (depth > deepest) return fc.constant([])
      return fc.array(fromSchema((schema.items ?? {}) as Schema, definitions, depth + 1), { maxLength: 3 })
    case 'object':
      return fromObject(schema, definitions, depth)
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

function fromObject(schema: Schema, definitions: Definitions, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Definitions)
  const requiredKeys = (schema.required ?? []) as string[]
  const wanted = depth > deepest ? properties.filter(([name]) => requiredKeys.includes(name)) : properties
  const members = Object.fromEntries(wanted.map(([name, inner]) => [name, fromSchema(inner, definitions, depth + 1)]))
  return fc
    .tuple(fc.record(members, { requiredKeys }), others(schema, definitions, depth))
    .map(([known, unknown]) => ({ ...unknown, ...known }))
}

// Every object is open; unless the schema restricts other members, an unknown one is tried.
function others(schema: Schema, definitions: Definitions, depth: number): fc.Arbitrary<JsonObject> {
  const inner = schema.additionalProperties
  if (inner === undefined) return fc.constantFrom({}, {}, { 'x-unknown': [1, null] })
  if (depth > deepest) return fc.constant({})
  const known = Object.keys((schema.properties ?? {}) as Definitions)
  const name = text.filter((key) => !known.includes(key))
  return fc.dictionary(name, fromSchema(inner === true ? {} : (inner as Schema), definitions, depth + 1), {
    maxKeys: 2,
  })
}
