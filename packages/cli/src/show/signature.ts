import type { JsonSchema } from '@tenon/sdk/client'
import { argumentNames, memberOf, requiredNames, resolveReference } from '../values/typed-value.ts'

/** The arguments of a tool in their order: `a: number, b?: string`. */
export function signature(schema: JsonSchema): string {
  const needed = requiredNames(schema)
  return argumentNames(schema)
    .map((name) => `${name}${needed.has(name) ? '' : '?'}: ${typeLabel(memberOf(schema, name, schema), schema)}`)
    .join(', ')
}

/** A type in the words of TypeScript, short. */
export function typeLabel(schema: JsonSchema | undefined, root: JsonSchema, depth = 0): string {
  const resolved = resolveReference(schema, root)
  if (resolved === undefined || typeof resolved !== 'object' || depth > 3) return 'any'
  const { type, enum: values, const: constant, anyOf, oneOf, items } = resolved
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(values)) return shortUnion(values.map((value) => JSON.stringify(value)))
  const parts = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (parts) return shortUnion(parts.map((part) => typeLabel(part as JsonSchema, root, depth + 1)))
  if (Array.isArray(type)) return shortUnion(type.map(String))
  if (type === 'array') {
    const item = typeLabel(items as JsonSchema | undefined, root, depth + 1)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  return typeof type === 'string' ? type : 'any'
}

function shortUnion(parts: string[]): string {
  const names = [...new Set(parts)]
  return names.length <= 6 ? names.join(' | ') : `${names.slice(0, 5).join(' | ')} | …`
}
