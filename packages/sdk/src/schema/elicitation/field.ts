import type {
  BooleanField,
  ElicitationField,
  MultiSelectField,
  NumberField,
  StringField,
} from '../../model/elicitation.ts'
import type { JsonSchema } from '../../model/tools.ts'
import { isObject } from '../value.ts'
import type { RefuseForm } from './elicitation.ts'

interface FieldPlace {
  readonly path: string
  readonly isRequired: boolean
  readonly refuse: RefuseForm
}

interface Choice {
  const: string
  title?: string
}

// Keywords that a form cannot express but the server checks again, and annotations.
const harmless = new Set([
  ...['pattern', 'multipleOf', 'uniqueItems', 'format', 'contentEncoding', 'contentMediaType', 'propertyOrdering'],
  ...['examples', '$comment', 'deprecated', 'readOnly', 'writeOnly', '$id', '$anchor', 'id'],
])

export function toField(schema: JsonSchema, place: FieldPlace): ElicitationField {
  const field = withoutPatternLists(withoutNull(schema, place))
  const choices = choicesOf(field)
  if (choices) return choiceField(field, choices, place)
  switch (typeOf(field)) {
    case 'string':
      return stringField(field, place)
    case 'number':
    case 'integer':
      return numberField(field, place)
    case 'boolean':
      return booleanField(field, place)
    case 'array':
      return multiSelectField(field, place)
    default:
      return place.refuse(place.path, `a form has only strings, numbers, booleans and choices, not ${nameOf(field)}`)
  }
}

const nameOf = (field: JsonSchema): string =>
  field.type === undefined ? `a schema with ${Object.keys(field).join(', ') || 'no type'}` : JSON.stringify(field.type)

function typeOf(field: JsonSchema): unknown {
  if (field.type !== undefined) return field.type
  const values = field.const !== undefined ? [field.const] : Array.isArray(field.enum) ? field.enum : []
  return values.length > 0 && values.every((value) => typeof value === 'boolean') ? 'boolean' : undefined
}

/** A form omits a field instead of answering null, so null can be dropped from the type of an optional field. */
function withoutNull(field: JsonSchema, { path, isRequired, refuse }: FieldPlace): JsonSchema {
  const isNull = (option: unknown) => isObject(option) && option.type === 'null'
  const { type, anyOf, ...rest } = field
  const inType = Array.isArray(type) && type.length === 2 && type.includes('null')
  const inAnyOf = Array.isArray(anyOf) && anyOf.some(isNull)
  if (!inType && !inAnyOf) return field
  if (isRequired) return refuse(path, 'a form cannot answer null; make the field optional instead')
  if (inType) return { ...field, type: type.find((name) => name !== 'null') }
  const options = (anyOf as JsonSchema[]).filter((option) => !isNull(option))
  return options.length === 1 ? { ...options[0], ...rest } : { ...field, anyOf: options }
}

/** Libraries put several patterns into an `allOf`. */
function withoutPatternLists(field: JsonSchema): JsonSchema {
  const { allOf, ...rest } = field
  const onlyPatterns =
    Array.isArray(allOf) &&
    allOf.every((part) => isObject(part) && Object.keys(part).every((keyword) => harmless.has(keyword)))
  return onlyPatterns ? rest : field
}

/** The strings to choose from, if the schema is an enumeration. */
function choicesOf(field: JsonSchema): Choice[] | undefined {
  if (field.type !== undefined && field.type !== 'string') return undefined
  if (typeof field.const === 'string') return [{ const: field.const }]
  if (Array.isArray(field.enum))
    return field.enum.every((value) => typeof value === 'string') ? namedChoices(field) : undefined
  const options = field.oneOf ?? field.anyOf
  if (!Array.isArray(options) || options.length === 0) return undefined
  const choices = options.map((option) => (isObject(option) ? choiceOf(option) : undefined))
  return choices.every((choice) => choice !== undefined) ? choices.flat() : undefined
}

function choiceOf(option: JsonSchema): Choice[] | undefined {
  const { title, const: value, enum: values } = option
  if (Array.isArray(values) && values.every((item) => typeof item === 'string'))
    return values.map((item) => ({ const: item }))
  if (typeof value !== 'string') return undefined
  return [{ const: value, ...(typeof title === 'string' && { title }) }]
}

function namedChoices({ enum: values, enumNames }: JsonSchema): Choice[] {
  const names = Array.isArray(enumNames) ? enumNames : []
  return (values as string[]).map((value, index) => ({
    const: value,
    ...(typeof names[index] === 'string' && { title: names[index] }),
  }))
}

const isTitled = (choices: Choice[]): boolean => choices.some(({ title }) => title !== undefined)
const titled = (choices: Choice[]) =>
  choices.map(({ const: value, title }) => ({ const: value, title: title ?? value }))

function choiceField(field: JsonSchema, choices: Choice[], place: FieldPlace): ElicitationField {
  expectOnly(field, place, ['type', 'const', 'enum', 'enumNames', 'oneOf', 'anyOf'])
  const shared = { type: 'string' as const, ...notes(field) }
  const initial = defaultOf(
    field,
    place,
    (value): value is string => choices.some((choice) => choice.const === value),
    'one of the choices',
  )
  const values = choices.map((choice) => choice.const)
  if (!isTitled(choices)) return { ...shared, enum: values, ...initial }
  // A schema with `enumNames` is written for clients that know no other titles.
  return Array.isArray(field.enum)
    ? { ...shared, enum: values, enumNames: titled(choices).map(({ title }) => title), ...initial }
    : { ...shared, oneOf: titled(choices), ...initial }
}

function stringField(field: JsonSchema, place: FieldPlace): StringField {
  expectOnly(field, place, ['type', 'minLength', 'maxLength'])
  return {
    type: 'string',
    ...notes(field),
    ...pick(field, ['minLength', 'maxLength']),
    ...(isFormFormat(field.format) && { format: field.format }),
    ...defaultOf(field, place, (value) => typeof value === 'string', 'a string'),
  }
}

const isFormFormat = (format: unknown): format is NonNullable<StringField['format']> =>
  format === 'email' || format === 'uri' || format === 'date' || format === 'date-time'

function numberField(field: JsonSchema, place: FieldPlace): NumberField {
  expectOnly(field, place, ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
  const isInteger = field.type === 'integer' || field.multipleOf === 1
  return {
    type: isInteger ? 'integer' : 'number',
    ...notes(field),
    ...bound('minimum', field.minimum, field.exclusiveMinimum, isInteger ? 1 : 0),
    ...bound('maximum', field.maximum, field.exclusiveMaximum, isInteger ? -1 : 0),
    ...defaultOf(field, place, (value) => typeof value === 'number', 'a number'),
  }
}

/** The stricter of both bounds. The limits of safe integers are left out: `integer` implies them. */
function bound(
  name: 'minimum' | 'maximum',
  inclusive: unknown,
  exclusive: unknown,
  step: number,
): { minimum?: number; maximum?: number } {
  const candidates = [
    ...(typeof inclusive === 'number' ? [inclusive] : []),
    ...(typeof exclusive === 'number'
      ? [step === 0 ? exclusive : step > 0 ? Math.floor(exclusive) + 1 : Math.ceil(exclusive) - 1]
      : []),
  ].filter((value) => Math.abs(value) < Number.MAX_SAFE_INTEGER)
  if (candidates.length === 0) return {}
  return { [name]: name === 'minimum' ? Math.max(...candidates) : Math.min(...candidates) }
}

function booleanField(field: JsonSchema, place: FieldPlace): BooleanField {
  expectOnly(field, place, ['type', 'const', 'enum'])
  return {
    type: 'boolean',
    ...notes(field),
    ...defaultOf(field, place, (value) => typeof value === 'boolean', 'a boolean'),
  }
}

function multiSelectField(field: JsonSchema, place: FieldPlace): MultiSelectField {
  expectOnly(field, place, ['type', 'items', 'minItems', 'maxItems'])
  const choices = isObject(field.items) ? choicesOf(field.items) : undefined
  if (!choices) return place.refuse(place.path, 'the items of a list must be a choice of strings')
  const values = new Set(choices.map((choice) => choice.const))
  const isChoice = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((item) => values.has(item))
  return {
    type: 'array',
    ...notes(field),
    ...pick(field, ['minItems', 'maxItems']),
    items: isTitled(choices) ? { anyOf: titled(choices) } : { type: 'string', enum: [...values] },
    ...defaultOf(field, place, isChoice, 'a list of choices'),
  }
}

function expectOnly(field: JsonSchema, { path, refuse }: FieldPlace, keywords: string[]): void {
  for (const keyword of Object.keys(field)) {
    const isKnown =
      keywords.includes(keyword) || harmless.has(keyword) || ['title', 'description', 'default'].includes(keyword)
    if (!isKnown) refuse(path, `'${keyword}' cannot be part of a form`)
  }
}

const notes = ({ title, description }: JsonSchema): { title?: string; description?: string } => ({
  ...(typeof title === 'string' && { title }),
  ...(typeof description === 'string' && { description }),
})

const pick = <Name extends string>(field: JsonSchema, names: Name[]): { [N in Name]?: number } =>
  Object.fromEntries(names.filter((name) => typeof field[name] === 'number').map((name) => [name, field[name]])) as {
    [N in Name]?: number
  }

function defaultOf<T>(
  field: JsonSchema,
  place: FieldPlace,
  fits: (value: unknown) => value is T,
  expected: string,
): { default?: T } {
  const value = field.default
  if (value === undefined || value === null) return {}
  return fits(value)
    ? { default: value }
    : place.refuse(place.path, `expected the default to be ${expected}, got ${JSON.stringify(value)}`)
}
