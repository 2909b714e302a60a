// The share of Zod alone: making the schemas, and the JSON Schemas for the list.
import { z } from 'zod'

export function define(count) {
  const schemas = Array.from({ length: count }, () => z.object({ text: z.string() }))
  return schemas.map((schema) => z.toJSONSchema(schema))
}
