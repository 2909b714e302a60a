import type { JsonObject } from '@tenon/sdk/client'
import { isSecretName } from '@tenon/sdk/display'
import { isJsonObject } from '../guards/json.ts'

const hidden = '[hidden]'
const maxDepth = 32
/** Subschemas that are looked at for one value: a schema may refer to itself in many ways. */
const maxSchemas = 64

/**
 * Arguments without those that the schema of their tool calls secret (`writeOnly`, `format: password`), and without those
 * with the name of a secret.
 */
export function redact(args: JsonObject, definition: JsonObject | undefined): JsonObject {
  const root = isJsonObject(definition?.inputSchema) ? definition.inputSchema : undefined
  return hide(args, root === undefined ? [] : schemasOf(root, root), root, 0) as JsonObject
}

function hide(value: unknown, schemas: readonly JsonObject[], root: JsonObject | undefined, depth: number): unknown {
  if (schemas.some(isSecret)) return hidden
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '…'
  if (Array.isArray(value)) return value.map((item, at) => hide(item, itemSchemas(schemas, root, at), root, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      // Whether there is one may be told.
      const isEmpty = member === null || typeof member === 'boolean'
      if (!isEmpty && isSecretName(name)) return [name, hidden]
      return [name, hide(member, memberSchemas(schemas, root, name), root, depth + 1)]
    }),
  )
}

const isSecret = ({ writeOnly, format }: JsonObject): boolean => writeOnly === true || format === 'password'

/** A schema with those that it is combined of. */
function schemasOf(schema: unknown, root: JsonObject | undefined): JsonObject[] {
  const found: JsonObject[] = []
  const waiting = [schema]
  while (waiting.length > 0 && found.length < maxSchemas) {
    const next = waiting.pop()
    if (!isJsonObject(next) || found.includes(next)) continue
    found.push(next)
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) if (Array.isArray(next[keyword])) waiting.push(...next[keyword])
    waiting.push(next.if, next.then, next.else, resolve(next.$ref, root))
  }
  return found
}

/** References inside the schema only. */
function resolve(ref: unknown, root: JsonObject | undefined): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined
  let at: unknown = root
  for (const step of ref.slice(1).split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as JsonObject)[name] : undefined
  }
  return at
}

const memberSchemas = (schemas: readonly JsonObject[], root: JsonObject | undefined, name: string): JsonObject[] =>
  schemas.flatMap(({ properties, additionalProperties, patternProperties }) => {
    const isKnown = isJsonObject(properties) && Object.hasOwn(properties, name)
    // Patterns are not matched: a secret behind any of them may be this member.
    const behindPatterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : []
    const own = isKnown ? [properties[name]] : [additionalProperties]
    return [...own, ...behindPatterns].flatMap((schema) => schemasOf(schema, root))
  })

const itemSchemas = (schemas: readonly JsonObject[], root: JsonObject | undefined, at: number): JsonObject[] =>
  schemas.flatMap(({ items, prefixItems }) => {
    const first = Array.isArray(prefixItems) ? prefixItems[at] : undefined
    return [first, items].flatMap((schema) => schemasOf(schema, root))
  })
