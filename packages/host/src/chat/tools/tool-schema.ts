import type { JsonSchema } from '@tenon/sdk/client'
import { isValidKeyword } from './schema-keywords.ts'

/** An input schema that every provider takes, and the differences from the one of the server, in words. */
export interface AdaptedSchema {
  schema: JsonSchema
  changes: string[]
}

/** Keywords with a schema, a list of schemas, and schemas by name. */
export const single: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])
export const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
export const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const dropped = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$comment',
  '$defs',
  'definitions',
  '$vocabulary',
])

/** Anthropic refuses a request in which one property of one tool has another name. */
export const propertyName: RegExp = /^[a-zA-Z0-9_.-]{1,64}$/

export const maxSchemaNodes = 5_000
export const maxSchemaDepth = 32

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const put = (target: object, name: string, value: unknown): void =>
  void Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })

/** The schema that a local reference points to. Other references are never followed: a server could name any address. */
export function resolveReference(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let place: unknown = root
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined
    place = (place as { [name: string]: unknown })[name]
  }
  return place
}

class TooLarge extends Error {}

/** Copies a schema with its references filled in. */
function createInliner(root: JsonSchema, changes: Set<string>) {
  let nodes = 0

  const visitMap = (value: unknown, open: readonly string[], depth: number, isProperties: boolean): unknown => {
    if (!isSchema(value)) return {}
    const copy = {}
    for (const [name, item] of Object.entries(value)) {
      if (!isProperties || propertyName.test(name)) put(copy, name, visit(item, open, depth + 1))
      else changes.add(`the property ${JSON.stringify(name.slice(0, 80))} is left out: providers do not take its name`)
    }
    return copy
  }

  const visitReference = (schema: JsonSchema, open: readonly string[], depth: number): unknown => {
    const { $ref, ...rest } = schema
    const reference = String($ref)
    const others = visit(rest, open, depth + 1)
    const target = open.includes(reference) ? undefined : resolveReference(root, reference)
    if (target === undefined) {
      const why = open.includes(reference) ? 'refers to itself' : 'cannot be resolved'
      changes.add(`the reference ${JSON.stringify(reference.slice(0, 80))} ${why} and takes any value`)
      return others
    }
    const found = visit(target, [...open, reference], depth + 1)
    return isSchema(found) && isSchema(others) ? { ...found, ...others } : found
  }

  const visitKeyword = (keyword: string, value: unknown, open: readonly string[], depth: number): unknown => {
    if (keyword === 'additionalProperties' && typeof value === 'boolean') return value
    if (single.has(keyword)) return visit(value, open, depth + 1)
    if (lists.has(keyword)) return (value as unknown[]).map((item) => visit(item, open, depth + 1))
    return maps.has(keyword) ? visitMap(value, open, depth, keyword === 'properties') : value
  }

  const visit = (schema: unknown, open: readonly string[], depth: number): unknown => {
    if (typeof schema === 'boolean' || !isSchema(schema)) return schema === false ? { not: {} } : {}
    if (++nodes > maxSchemaNodes || depth > maxSchemaDepth) throw new TooLarge()
    if (typeof schema.$ref === 'string') return visitReference(schema, open, depth)
    const copy: JsonSchema = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (dropped.has(keyword)) continue
      if (!isValidKeyword(keyword, value) || (lists.has(keyword) && !Array.isArray(value))) {
        changes.add(`"${keyword}" is left out: its value is not valid`)
      } else put(copy, keyword, visitKeyword(keyword, value, open, depth))
    }
    if (Array.isArray(copy.required) && isSchema(copy.properties)) {
      const { properties } = copy
      copy.required = copy.required.filter(
        (name) => typeof name === 'string' && (propertyName.test(name) || Object.hasOwn(properties, name)),
      )
    }
    return copy
  }
  return (): unknown => visit(root, ['#'], 0)
}

const namesIn = (schema: JsonSchema): string[] =>
  Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : []

/** A property that the branches describe differently fits if it fits one of them, or all of them for `allOf`. */
function mergeProperties(branches: JsonSchema[], keyword: 'anyOf' | 'allOf'): object {
  const variants = new Map<string, Map<string, unknown>>()
  for (const { properties } of branches) {
    for (const [name, value] of Object.entries(isSchema(properties) ? properties : {})) {
      const known = variants.get(name) ?? new Map<string, unknown>()
      variants.set(name, known.set(JSON.stringify(value), value))
    }
  }
  const merged = {}
  for (const [name, known] of variants) {
    const values = [...known.values()]
    put(merged, name, values.length === 1 ? values[0] : { [keyword]: values })
  }
  return merged
}

/** One object schema for several: all their properties, and as required those that each of them requires. */
function mergeAlternatives(schema: JsonSchema, keyword: 'anyOf' | 'oneOf' | 'allOf'): JsonSchema {
  const { [keyword]: list, ...rest } = schema
  const branches = (list as unknown[]).filter(isSchema).map(flatten)
  const inBranches = mergeProperties(branches, keyword === 'allOf' ? 'allOf' : 'anyOf')
  const properties = mergeProperties([rest, { properties: inBranches }], 'allOf')
  const required = branches.map(namesIn)
  const first = required[0] ?? []
  const shared =
    keyword === 'allOf' ? required.flat() : first.filter((name) => required.every((names) => names.includes(name)))
  return { ...rest, type: 'object', properties, required: [...new Set([...namesIn(rest), ...shared])] }
}

const combining = ['allOf', 'anyOf', 'oneOf'] as const

const flatten = (schema: JsonSchema): JsonSchema =>
  combining.reduce(
    (merged, keyword) => (Array.isArray(merged[keyword]) ? mergeAlternatives(merged, keyword) : merged),
    schema,
  )

/** Keywords that providers refuse at the top of an input schema. */
const refusedAtTop = ['not', 'if', 'then', 'else', 'enum', 'const', 'dependentSchemas', 'patternProperties'] as const

function adaptTop(schema: JsonSchema, changes: Set<string>): JsonSchema {
  for (const keyword of combining) {
    if (Array.isArray(schema[keyword])) changes.add(`"${keyword}" at the top was merged into one object`)
  }
  const top = { ...flatten(schema) }
  for (const keyword of refusedAtTop) {
    if (!(keyword in top)) continue
    changes.add(`"${keyword}" at the top was left out`)
    delete top[keyword]
  }
  if (top.type !== 'object') changes.add('the top has the type "object"')
  return { ...top, type: 'object', properties: isSchema(top.properties) ? top.properties : {} }
}

/**
 * Adapts an input schema to the providers of models: one object at the top, references filled in, and only property
 * names that all of them take. Arguments are checked by the server against its own schema.
 */
export function adaptInputSchema(input: JsonSchema): AdaptedSchema {
  const changes = new Set<string>()
  try {
    const inlined = createInliner(input, changes)()
    const schema = adaptTop(isSchema(inlined) ? inlined : {}, changes)
    return { schema, changes: [...changes] }
  } catch (error) {
    // A reference with a malformed escape is a `URIError`; nesting beyond the depth that is read, `TooLarge`.
    if (!(error instanceof TooLarge || error instanceof URIError)) throw error
    return { schema: { type: 'object', properties: {} }, changes: ['it is too large or deep, and takes any object'] }
  }
}
