import { isSchema, pointedAt, type Schema, schemasIn } from './schema.ts'

const enough = 1_000
const deepest = 6

/** How many members the union has that a schema becomes: at least one, and `Infinity` if that is hard to say. */
export function unionSize(schema: unknown, root: Schema, depth = 0): number {
  if (!isSchema(schema)) return 1
  if (depth > deepest) return Infinity
  const { enum: values, anyOf, oneOf, allOf, type, $ref } = schema
  const sum = (parts: unknown[]): number => {
    let total = 0
    for (const part of parts) {
      total += unionSize(part, root, depth + 1)
      if (total > enough) return Infinity
    }
    return Math.max(total, 1)
  }
  let width = Array.isArray(values) ? Math.max(values.length, 1) : Array.isArray(type) ? Math.max(type.length, 1) : 1
  width *= sum(schemasIn(anyOf)) * sum(schemasIn(oneOf))
  for (const part of schemasIn(allOf)) {
    if (width > enough) return Infinity
    width *= unionSize(part, root, depth + 1)
  }
  if (typeof $ref === 'string') width *= unionSize(pointedAt(root, $ref), root, depth + 1)
  return width + (schema.nullable === true ? 1 : 0)
}
