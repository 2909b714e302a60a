import type { JsonObject } from '../../jsonrpc/message.ts'
import { changeMember } from '../change.ts'
import { wrapOutputSchema } from './wrapped-output.ts'

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

/** A tool whose schemas are rooted in an object, with objects as properties. */
export function withObjectSchemas(tool: JsonObject): JsonObject {
  const wrapped = changeMember(tool, 'outputSchema', (schema) => withSchemaProperties(wrapOutputSchema(schema)))
  return changeMember(wrapped, 'inputSchema', withSchemaProperties)
}
