import type { JsonSchema } from '@tenon/sdk/client'

/** The value of a text, by its schema. Invalid input stays text, and the check reports it. */
export function typedValueOf(text: string, schema: JsonSchema | undefined, root: JsonSchema): unknown {
  const types = typesOf(schema, root, 0)
  if (types.size === 0) return asJson(text) ?? text
  for (const type of ['null', 'boolean', 'integer', 'number'] as const) {
    if (types.has(type) && forms[type].test(text)) return JSON.parse(text)
  }
  // Text is taken as it is wherever text is allowed, so that "007" stays "007" unless a number was wanted.
  if (types.has('string')) return text
  const value = asJson(text)
  if (types.has('object') && isObject(value)) return value
  if (types.has('array')) return Array.isArray(value) ? value : [typedValueOf(text, itemsOf(schema, root), root)]
  return value ?? text
}

/** Whether a schema wants a list, so that an argument may be given several times. */
export const wantsList = (schema: JsonSchema | undefined, root: JsonSchema): boolean =>
  typesOf(schema, root, 0).has('array')

export const itemsOf = (schema: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined => {
  const { items } = resolveReference(schema, root) ?? {}
  return isObject(items) ? (items as JsonSchema) : undefined
}

/** The schema of a member, through references. */
export function memberOf(schema: JsonSchema | undefined, name: string, root: JsonSchema): JsonSchema | undefined {
  const { properties } = resolveReference(schema, root) ?? {}
  const member = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(member) ? (member as JsonSchema) : undefined
}

/** The names of the arguments in their order: the required ones first. */
export function argumentNames(schema: JsonSchema): string[] {
  const { properties } = resolveReference(schema, schema) ?? {}
  const names = isObject(properties) ? Object.keys(properties) : []
  const needed = requiredNames(schema)
  return [...names.filter((name) => needed.has(name)), ...names.filter((name) => !needed.has(name))]
}

/** The names of the arguments that a call must have. */
export function requiredNames(schema: JsonSchema): Set<string> {
  const { required } = resolveReference(schema, schema) ?? {}
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [])
}

/** Follows `$ref` inside the same document. */
export function resolveReference(schema: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined {
  let current = schema
  for (let step = 0; step < 32 && typeof current?.$ref === 'string'; step++) current = pointed(root, current.$ref)
  return current
}

function pointed(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith('#')) return undefined
  let value: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as JsonSchema)[key] : undefined
  }
  return isObject(value) ? (value as JsonSchema) : undefined
}

const forms = {
  null: /^null$/,
  boolean: /^(?:true|false)$/,
  integer: /^-?(?:0|[1-9]\d{0,14})$/,
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
}

function typesOf(schema: JsonSchema | undefined, root: JsonSchema, depth: number): Set<string> {
  const resolved = resolveReference(schema, root)
  if (resolved === undefined || depth > 8) return new Set()
  const { type, enum: values, const: constant, anyOf, oneOf, allOf } = resolved
  if (typeof type === 'string') return new Set([type])
  if (Array.isArray(type)) return new Set(type.filter((one) => typeof one === 'string'))
  const listed = Array.isArray(values) ? values : constant === undefined ? undefined : [constant]
  if (listed)
    return new Set(listed.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)))
  const parts = [anyOf, oneOf, allOf].flatMap((part) => (Array.isArray(part) ? part : []))
  return new Set(parts.flatMap((part) => [...typesOf(isObject(part) ? part : undefined, root, depth + 1)]))
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is { [member: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
