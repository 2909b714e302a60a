import type { JsonObject, Tool } from '@tenon/sdk/client'
import { isObject } from '../read-params.ts'

const propertiesIn = ({ inputSchema }: Tool): { [name: string]: unknown } =>
  isObject(inputSchema.properties) ? inputSchema.properties : {}

export function requiredIn({ inputSchema }: Tool): string[] {
  const { required } = inputSchema as { required?: unknown }
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** The arguments of a tool in the words of a person: `{"a": 1}`, `a=1 b="two words"`, or the values alone, in order. */
export function argumentsIn(text: string, tool: Tool): JsonObject {
  return jsonIn(text) ?? pairsIn(text, tool) ?? valuesIn(text, tool)
}

function jsonIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
    return isObject(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

function pairsIn(text: string, tool: Tool): JsonObject | undefined {
  const properties = propertiesIn(tool)
  const pairs = [...text.matchAll(/([\w.-]+)=("[^"]*"|[^\s,]+)/g)]
    .filter(([, name = '']) => Object.hasOwn(properties, name))
    .map(([, name = '', written = '']) => [name, readValue(unquoted(written), properties[name])])
  return pairs.length === 0 ? undefined : (Object.fromEntries(pairs) as JsonObject)
}

/** Gives each required argument the next value that it can be. */
function valuesIn(text: string, tool: Tool): JsonObject {
  const required = requiredIn(tool)
  const properties = propertiesIn(tool)
  const rest = text.trim().replace(/^[:,]\s*/, '')
  const [only] = required
  if (required.length === 1 && typeOf(properties[only!]) === 'string') {
    return rest === '' ? {} : { [only!]: unquoted(rest) }
  }
  const written = rest.match(/"[^"]*"|[^\s,]+/g) ?? []
  const args: [string, unknown][] = []
  for (const name of required) {
    const at = written.findIndex((one) => fits(one, properties[name]))
    if (at === -1) break
    args.push([name, readValue(unquoted(written[at]!), properties[name])])
    written.splice(0, at + 1)
  }
  return Object.fromEntries(args) as JsonObject
}

const typeOf = (schema: unknown): unknown => (isObject(schema) ? schema.type : undefined)
const isNumber = (schema: unknown): boolean => ['number', 'integer'].includes(String(typeOf(schema)))
const unquoted = (text: string): string => text.replace(/^"([^"]*)"$/, '$1')

function fits(text: string, schema: unknown): boolean {
  if (isNumber(schema)) return text.trim() !== '' && Number.isFinite(Number(text))
  return (
    typeOf(schema) === 'string' || isObject(readValue(text, schema)) || typeof readValue(text, schema) === 'boolean'
  )
}

/** A text stays one where a text is expected; anything else is JSON if it can be. */
function readValue(text: string, schema: unknown): unknown {
  if (typeOf(schema) === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
