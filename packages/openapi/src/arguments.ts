import type { JsonSchema } from '@tenon/sdk/server'
import type { ApiDocument } from './document/api-document.ts'
import { isObject, member, objectMember } from './document/json.ts'
import { OpenApiError } from './document/openapi-error.ts'
import type { Operation, Parameter, RequestBody } from './document/operation.ts'
import { isBinary } from './request/files.ts'
import { SchemaConverter } from './schema/convert-schema.ts'

/** An argument of a tool, and where it goes in the request. */
export type Argument = { readonly name: string; readonly schema: JsonSchema | boolean } & (
  | { readonly parameter: Parameter }
  | { readonly body: RequestBody }
)

interface Arguments {
  readonly list: readonly Argument[]
  readonly schema: JsonSchema
}

/**
 * The arguments of an operation. Each has its own name; names that occur at several places, such as an id in the path
 * and one in the query, all get their place in front. Names depend on nothing but the operation.
 */
export function argumentsOf(document: ApiDocument, operation: Operation): Arguments {
  const converter = new SchemaConverter(document, 'input')
  const { parameters, body } = operation
  const names = uniqueNames(operation)
  const list: Argument[] = parameters.map((parameter) => ({
    name: names.get(parameter)!,
    parameter,
    schema: described(converter.convert(parameter.schema, parameter.pointer), parameter.description),
  }))
  if (body !== undefined) {
    list.push({
      name: names.get(body)!,
      body,
      schema: described(bodySchema(document, converter, body), body.description),
    })
  }
  const required = list.filter((one) => ('body' in one ? one.body : one.parameter).required).map(({ name }) => name)
  const { definitions } = converter
  return {
    list,
    schema: {
      type: 'object',
      properties: Object.fromEntries(list.map(({ name, schema }) => [name, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
    },
  }
}

/** Providers of models take no other letters in names of arguments. */
const plain = (name: string): string =>
  name
    .replace(/[^\w.-]+/g, '_')
    .replace(/^_+(?=.)|(?<=.)_+$/g, '')
    .slice(0, 64)

function uniqueNames({ parameters, body, pointer }: Operation): Map<Parameter | RequestBody, string> {
  const wanted = [
    ...parameters.map((one) => ({ one, name: plain(one.name), longer: plain(`${one.place}_${one.name}`) })),
    ...(body === undefined ? [] : [{ one: body, name: 'body', longer: 'request_body' }]),
  ]
  const isTaken = (name: string): boolean => wanted.filter((other) => other.name === name).length > 1
  const names = new Map(wanted.map(({ one, name, longer }) => [one, isTaken(name) ? longer : name]))
  if (new Set(names.values()).size < names.size) {
    throw new OpenApiError(pointer, 'two parameters cannot be told apart by their names')
  }
  return names
}

function described(schema: JsonSchema | boolean, description: string | undefined): JsonSchema | boolean {
  if (description === undefined || schema === false) return schema
  return { ...(schema === true ? {} : schema), description: description.slice(0, 2_000) }
}

/** A file in a form is an object with its data; a body of bytes is base64. */
function bodySchema(document: ApiDocument, converter: SchemaConverter, body: RequestBody): JsonSchema | boolean {
  const { mediaType, schema, pointer } = body
  if (/^(?:application\/(?:[\w.+-]+\+)?json|application\/x-www-form-urlencoded)/i.test(mediaType)) {
    return converter.convert(schema, pointer)
  }
  if (mediaType.startsWith('text/')) return { type: 'string' }
  if (!mediaType.startsWith('multipart/'))
    return { type: 'string', contentEncoding: 'base64', contentMediaType: mediaType }
  const { value, pointer: at } = document.resolve(schema, pointer)
  const converted = converter.convert(value, at)
  if (!isObject(converted) || !isObject(member(value, 'properties'))) return converted
  const files = Object.entries(objectMember(value, 'properties')).flatMap(([name, property]) => {
    const found = document.resolve(property, at).value
    if (isBinary(found)) return [[name, file]]
    return isBinary(member(found, 'items')) ? [[name, { type: 'array', items: file }]] : []
  })
  return { ...converted, properties: { ...objectMember(converted, 'properties'), ...Object.fromEntries(files) } }
}

const file: JsonSchema = {
  type: 'object',
  description: 'A file',
  properties: {
    data: { type: 'string', contentEncoding: 'base64', description: 'The bytes of the file as base64' },
    name: { type: 'string', description: 'The name of the file' },
    type: { type: 'string', description: 'The media type of the file' },
  },
  required: ['data'],
}
