import { writeExact } from '../../src/exact-json.ts'
import { isSchema, resolve, type Schema } from './resolve.ts'

/** One of several values. */
export interface Option {
  value: unknown
  label: string
}

/** How a value is asked for. */
export type Shape =
  | { kind: 'text'; input: 'text' | 'email' | 'url' | 'date' | 'datetime' | 'time' | 'long' }
  | { kind: 'number'; integer: boolean }
  | { kind: 'boolean' }
  | { kind: 'constant'; value: unknown }
  | { kind: 'choice'; options: Option[] }
  /** Some of several. */
  | { kind: 'choices'; options: Option[] }
  | { kind: 'object'; fields: SchemaField[]; extra: Schema | undefined }
  | { kind: 'list'; item: (index: number) => Schema }
  | { kind: 'union'; variants: { label: string; schema: Schema }[] }
  /** Anything at all. */
  | { kind: 'json' }

export interface SchemaField {
  name: string
  schema: Schema
  required: boolean
}

/** A schema as the form needs it, without a value. */
export interface Described {
  schema: Schema
  shape: Shape
  nullable: boolean
  title: string | undefined
  description: string | undefined
}

/** Chooses the input for a schema. */
export function describe(given: unknown, root: Schema): Described {
  const schema = resolve(given, root)
  const { schema: core, nullable } = withoutNull(schema, root)
  return {
    schema: core,
    shape: shapeOf(core, root),
    nullable,
    title: textOf(schema.title) ?? textOf(core.title),
    description: textOf(schema.description) ?? textOf(core.description),
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** `["string", "null"]`, `anyOf: [X, { type: "null" }]`, an enum with null, and `nullable: true` all mean: or null. */
function withoutNull(schema: Schema, root: Schema): { schema: Schema; nullable: boolean } {
  const { type, enum: values, anyOf, oneOf, nullable: _, ...rest } = schema
  if (Array.isArray(type) && type.includes('null') && type.length > 1) {
    const types = type.filter((name) => name !== 'null')
    const inner = { ...schema, type: types.length === 1 ? types[0] : types }
    const { schema: core } = withoutNull(inner, root)
    return { schema: core, nullable: true }
  }
  if (Array.isArray(values) && values.includes(null) && values.length > 1) {
    return { schema: { ...schema, enum: values.filter((value) => value !== null) }, nullable: true }
  }
  const variants = [anyOf, oneOf].find(Array.isArray)
  if (variants !== undefined && variants.length > 1) {
    const others = variants.filter((variant) => resolve(variant, root).type !== 'null')
    if (others.length < variants.length) {
      const one = others.length === 1 ? { ...resolve(others[0], root), ...rest } : { ...rest, anyOf: others }
      return { schema: one, nullable: true }
    }
  }
  return { schema, nullable: schema.nullable === true }
}

function shapeOf(schema: Schema, root: Schema): Shape {
  if ('const' in schema) return { kind: 'constant', value: schema.const }
  const options = optionsOf(schema, root)
  if (options !== undefined) return { kind: 'choice', options }
  const variants = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (variants !== undefined && variants.length > 0) return unionOf(variants, schema, root)
  if (Array.isArray(schema.type))
    return unionOf(
      schema.type.map((type) => ({ type })),
      schema,
      root,
    )
  return typedShape(schema, root)
}

function typedShape(schema: Schema, root: Schema): Shape {
  switch (schema.type ?? guessedType(schema)) {
    case 'string':
      return { kind: 'text', input: inputOf(schema) }
    case 'number':
      return { kind: 'number', integer: false }
    case 'integer':
      return { kind: 'number', integer: true }
    case 'boolean':
      return { kind: 'boolean' }
    case 'null':
      return { kind: 'constant', value: null }
    case 'object':
      return objectOf(schema)
    case 'array':
      return listOf(schema, root)
    default:
      return { kind: 'json' }
  }
}

function guessedType(schema: Schema): string | undefined {
  if (isSchema(schema.properties)) return 'object'
  return schema.items === undefined ? undefined : 'array'
}

const inputs: ReadonlyMap<unknown, 'email' | 'url' | 'date' | 'datetime' | 'time'> = new Map([
  ['email', 'email'],
  ['uri', 'url'],
  ['url', 'url'],
  ['date', 'date'],
  ['date-time', 'datetime'],
  ['time', 'time'],
])

function inputOf({ format, maxLength, contentMediaType }: Schema): Extract<Shape, { kind: 'text' }>['input'] {
  const known = inputs.get(format)
  if (known !== undefined) return known
  return contentMediaType !== undefined || (typeof maxLength === 'number' && maxLength > 200) ? 'long' : 'text'
}

/** An `enum`, or variants that are one value each. */
function optionsOf(schema: Schema, root: Schema): Option[] | undefined {
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : []
    return schema.enum.map((value, index) => ({ value, label: textOf(names[index]) ?? labelOf(value) }))
  }
  const variants = [schema.oneOf, schema.anyOf].find(Array.isArray)?.map((variant) => resolve(variant, root))
  if (variants === undefined || variants.length === 0 || !variants.every((variant) => 'const' in variant))
    return undefined
  return variants.map((variant) => ({ value: variant.const, label: textOf(variant.title) ?? labelOf(variant.const) }))
}

export const labelOf = (value: unknown): string => (typeof value === 'string' ? value : writeExact(value))

function unionOf(variants: readonly unknown[], schema: Schema, root: Schema): Shape {
  const { anyOf: _, oneOf: __, title: ___, description: ____, default: _____, ...shared } = schema
  const labelled = variants.map((given, index) => {
    const variant = resolve(given, root)
    const label = textOf(variant.title) ?? discriminatorOf(variant) ?? textOf(variant.type) ?? `Variant ${index + 1}`
    return { label, schema: { ...shared, ...variant } }
  })
  const count = (label: string): number => labelled.filter((other) => other.label === label).length
  return {
    kind: 'union',
    variants: labelled.map(({ label, schema: inner }, index) => ({
      label: count(label) > 1 ? `${label} (${index + 1})` : label,
      schema: inner,
    })),
  }
}

/** `{ type: "circle", … }`: the constant member says which variant it is. */
function discriminatorOf({ properties }: Schema): string | undefined {
  if (!isSchema(properties)) return undefined
  for (const property of Object.values(properties)) {
    if (isSchema(property) && typeof property.const === 'string') return property.const
  }
  return undefined
}

function objectOf({ properties, required, additionalProperties }: Schema): Shape {
  const names = new Set(Array.isArray(required) ? required : [])
  const fields = Object.entries(isSchema(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    schema: isSchema(schema) ? schema : {},
    required: names.has(name),
  }))
  const extra = isSchema(additionalProperties) ? additionalProperties : {}
  const isClosed = additionalProperties === false || (additionalProperties === undefined && fields.length > 0)
  return { kind: 'object', fields, extra: isClosed ? undefined : extra }
}

function listOf(schema: Schema, root: Schema): Shape {
  const { items, prefixItems } = schema
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = isSchema(items) ? items : {}
  const options = first.length === 0 ? optionsOf(resolve(rest, root), root) : undefined
  if (options !== undefined && schema.uniqueItems !== false) return { kind: 'choices', options }
  return { kind: 'list', item: (index) => (isSchema(first[index]) ? first[index] : rest) }
}
