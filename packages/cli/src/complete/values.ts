import type { JsonSchema } from '@tenon/sdk/client'
import { itemsOf, memberOf, resolveReference } from '../values/typed-value.ts'

/** The values that a schema lists for an argument; booleans are two of them. */
export function valueCandidates(root: JsonSchema, path: string): string[] {
  const names = memberOf(root, path, root) === undefined ? path.split('.') : [path]
  const schema = names.reduce<JsonSchema | undefined>((at, name) => memberOf(at, name, root), root)
  return [...new Set(listed(schema, root, 0))]
}

function listed(schema: JsonSchema | undefined, root: JsonSchema, depth: number): string[] {
  const resolved = resolveReference(schema, root)
  if (resolved === undefined || depth > 4) return []
  const { type, enum: values, const: constant, anyOf, oneOf } = resolved
  if (Array.isArray(values)) return values.map(written)
  if (constant !== undefined) return [written(constant)]
  const parts = [anyOf, oneOf].flatMap((part) => (Array.isArray(part) ? part : []))
  const own =
    type === 'boolean' ? ['true', 'false'] : type === 'array' ? listed(itemsOf(schema, root), root, depth + 1) : []
  return [...own, ...parts.flatMap((part) => listed(part as JsonSchema, root, depth + 1))]
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
