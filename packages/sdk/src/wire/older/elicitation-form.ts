import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ShapeChange } from '../change.ts'
import { changeMember, changeValues, isObject, omit } from '../change.ts'
import { isMultiSelect, optionsOf, selectionFrom } from './elicitation-options.ts'

const sentences = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' ')

function multiSelectAsText(field: JsonObject): JsonObject {
  const choices = optionsOf(field).map(({ value, title }) => (title === value ? value : `${value} (${title})`))
  const { minItems: least, maxItems: most } = field
  const description = sentences(
    typeof field.description === 'string' ? field.description : undefined,
    `Any of these, separated by commas: ${choices.join(', ')}.`,
    typeof least === 'number' ? `At least ${least}.` : undefined,
    typeof most === 'number' ? `At most ${most}.` : undefined,
  )
  return typeof field.title === 'string'
    ? { type: 'string', title: field.title, description }
    : { type: 'string', description }
}

function titledEnumAsNames(field: JsonObject): JsonObject {
  const options = optionsOf(field)
  const names = { enum: options.map(({ value }) => value), enumNames: options.map(({ title }) => title) }
  return { ...omit(field, 'oneOf', 'default'), ...names }
}

const plainField: ShapeChange = (field) => {
  if (isMultiSelect(field)) return multiSelectAsText(field)
  if (Array.isArray(field.oneOf)) return titledEnumAsNames(field)
  return field.type === 'boolean' ? field : omit(field, 'default')
}

const plainSchema: ShapeChange = (schema) =>
  changeMember(omit(schema, '$schema'), 'properties', (fields) => changeValues(fields, plainField))

/** The form of 2025-06-18: single values, defaults on booleans only, titles of options in `enumNames`, no URL mode. */
export function elicitParamsAsPlainForm(params: JsonObject): JsonObject {
  if (params.mode !== 'url') return changeMember(omit(params, 'mode'), 'requestedSchema', plainSchema)
  return {
    ...omit(params, 'mode', 'url', 'elicitationId'),
    message: `${params.message}\n\n${params.url}`,
    requestedSchema: { type: 'object', properties: {} },
  }
}

/** Answers of 2025-06-18 are single values: several selected options are joined with commas. */
export const elicitResultAsPlainValues: ShapeChange = (result) =>
  changeMember(result, 'content', (content) => {
    if (!Object.values(content).some(Array.isArray)) return content
    return Object.fromEntries(
      Object.entries(content).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    )
  })

/** The answer to a form that was sent with plain values: commas become selections again. */
export function plainValuesAsAsked(result: JsonObject, params: JsonObject | undefined): JsonObject {
  const schema = isObject(params?.requestedSchema) ? params.requestedSchema : {}
  const fields = isObject(schema.properties) ? schema.properties : {}
  return changeMember(result, 'content', (content) => {
    const selected = Object.entries(content).flatMap(([name, value]): [string, unknown][] => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (typeof value !== 'string' || !isObject(field) || !isMultiSelect(field)) return []
      return [[name, selectionFrom(value, optionsOf(field))]]
    })
    return selected.length === 0 ? content : { ...content, ...Object.fromEntries(selected) }
  })
}
