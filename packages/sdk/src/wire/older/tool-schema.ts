import type { JsonObject } from '../../jsonrpc/message.ts'
import { changeMember, isObject, omit } from '../change.ts'

// Before 2026-07-28 a property of a tool's schema is an object: `true` and `false` have to be spelled out.
function spellOutBooleans(properties: JsonObject): JsonObject {
  const values = Object.values(properties)
  if (!values.some((schema) => typeof schema === 'boolean')) return properties
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema,
    ]),
  )
}

const withSchemaProperties = (schema: JsonObject): JsonObject => changeMember(schema, 'properties', spellOutBooleans)

/** A tool whose schemas are rooted in an object, with objects as properties. Any other output schema is left out. */
export function withObjectSchemas(tool: JsonObject): JsonObject {
  const hasObjectOutput = isObject(tool.outputSchema) && tool.outputSchema.type === 'object'
  const kept = hasObjectOutput ? changeMember(tool, 'outputSchema', withSchemaProperties) : omit(tool, 'outputSchema')
  return changeMember(kept, 'inputSchema', withSchemaProperties)
}
