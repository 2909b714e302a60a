import type { JsonSchema } from '@tenon/sdk/server'
import type { JsonObject } from '../document/json.ts'

/** The words of OpenAPI 3.0 in those of JSON Schema, which 3.1 uses. `original` still has what was dropped. */
export function toJsonSchema(schema: JsonObject, original: JsonObject, isVersion30: boolean): JsonSchema {
  if (!isVersion30) return schema as JsonSchema
  const exclusive = [
    ...exclusiveBound(schema, 'minimum', 'exclusiveMinimum'),
    ...exclusiveBound(schema, 'maximum', 'exclusiveMaximum'),
  ]
  const isNoBoolean = ([name]: [string, unknown]): boolean =>
    !/^exclusiveM/.test(name) || typeof schema[name] !== 'boolean'
  const replaced = new Set(exclusive.map(([, , bound]) => bound))
  const members = Object.entries(schema).filter((entry) => isNoBoolean(entry) && !replaced.has(entry[0]))
  const converted = Object.fromEntries([...members, ...exclusive.map(([name, value]) => [name, value])])
  return original.nullable === true ? orNull(converted) : converted
}

function exclusiveBound(schema: JsonObject, bound: string, word: string): [string, unknown, string][] {
  return schema[word] === true && typeof schema[bound] === 'number' ? [[word, schema[bound], bound]] : []
}

/** The same schema, and null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  if (typeof type === 'string' || Array.isArray(type)) {
    const types = [type].flat()
    if (types.includes('null')) return schema
    return { ...schema, type: [...types, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
  }
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
}
