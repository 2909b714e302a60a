import type { JsonSchema } from '@tenon/sdk/server'
import { orNull } from './to-json-schema.ts'

const strict = new Set(
  'required enum const pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties contains minContains maxContains not if then else propertyNames dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems'.split(
    ' ',
  ),
)

/**
 * What can be promised of an answer. Services leave members out, send null and new values, and add members, whatever
 * their documents say: names, types and descriptions stay, limits go. An answer that differs would be lost otherwise.
 */
export function loosen(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([name, value]) => !strict.has(name) && !isClosed(name, value))
  const { oneOf, ...others } = Object.fromEntries(kept) as JsonSchema
  const open = Array.isArray(oneOf) ? { ...others, anyOf: [...oneOf, { type: 'null' }] } : others
  return open.type === undefined ? open : orNull(open)
}

const isClosed = (name: string, value: unknown): boolean => name === 'additionalProperties' && value === false
