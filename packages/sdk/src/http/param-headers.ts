import { isRpcError } from '../errors.ts'
import { isObject } from '../jsonrpc/classify.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { decodeHeaderValue, encodeHeaderValue } from './header-values.ts'

type ParamType = 'string' | 'integer' | 'boolean'

/** An argument of a tool that a header repeats. */
export interface ParamHeader {
  /** The whole name, such as `Mcp-Param-Region`. */
  header: string
  /** The path of the argument. */
  path: string[]
  type: ParamType
}

export interface ParamHeaders {
  params: ParamHeader[]
  /** The reasons why the annotations, and with them the tool, cannot be used. Empty if they can. */
  problems: string[]
}

const keyword = 'x-mcp-header'
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const types: ReadonlySet<unknown> = new Set<ParamType>(['string', 'integer', 'boolean'])
/** Keywords whose value is no schema, even if it looks like one. */
const data: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'examples', 'required'])
const maxDepth = 64

/** Finds the annotations of an input schema, and their faults. */
export function paramHeaders(inputSchema: unknown): ParamHeaders {
  const found: ParamHeaders = { params: [], problems: [] }
  collect(inputSchema, [], found)
  const seen = new Set<string>()
  for (const { header } of found.params) {
    const name = header.toLowerCase()
    if (seen.has(name)) found.problems.push(`${keyword}: ${header} is used more than once`)
    seen.add(name)
  }
  return found
}

/** Follows `properties`, the only path with one place among the arguments. */
function collect(schema: unknown, path: string[], found: ParamHeaders): void {
  if (!isObject(schema) || path.length > maxDepth) return
  if (Object.hasOwn(schema, keyword)) annotate(schema, path, found)
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'properties' && isObject(inner)) {
      for (const [name, property] of Object.entries(inner)) collect(property, [...path, name], found)
    } else if (!data.has(key) && key !== keyword && hides(inner, 0)) {
      found.problems.push(`${keyword} below ${[...path, key].join('.')} cannot be reached through properties alone`)
    }
  }
}

/** Whether there is an annotation anywhere below. */
function hides(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return false
  if (Array.isArray(value)) return value.some((item) => hides(item, depth + 1))
  return Object.entries(value).some(([key, inner]) => {
    // The members of `properties` are names, which may look like keywords.
    if (key === 'properties' && isObject(inner)) return Object.values(inner).some((each) => hides(each, depth + 2))
    return key === keyword || (!data.has(key) && hides(inner, depth + 1))
  })
}

function annotate(schema: JsonObject, path: string[], found: ParamHeaders): void {
  const where = path.length === 0 ? 'the root of the schema' : path.join('.')
  const name = schema[keyword]
  const { type } = schema
  if (path.length === 0) found.problems.push(`${keyword} at ${where}: only properties have one`)
  else if (typeof name !== 'string' || !token.test(name)) {
    found.problems.push(`${keyword} of ${where}: expected the name of a header, got ${JSON.stringify(name)}`)
  } else if (!types.has(type)) {
    found.problems.push(`${keyword} of ${where}: expected type string, integer or boolean, got ${JSON.stringify(type)}`)
  } else found.params.push({ header: `Mcp-Param-${name}`, path, type: type as ParamType })
}

/** The argument that a header repeats; undefined if absent. */
function argumentAt(path: readonly string[], args: unknown): unknown {
  let value = args
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value ?? undefined
}

const isPrimitive = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** The headers that go with a call, by name. An argument that is absent or null has none. */
export function headersFor(params: readonly ParamHeader[], args: unknown): [name: string, value: string][] {
  return params.flatMap(({ header, path }): [string, string][] => {
    const value = argumentAt(path, args)
    return isPrimitive(value) ? [[header, encodeHeaderValue(value)]] : []
  })
}

/** The fault of the headers of a call; undefined if they agree with its arguments. */
export function mismatch(
  params: readonly ParamHeader[],
  args: unknown,
  getHeader: (name: string) => string | null | undefined,
): string | undefined {
  for (const param of params) {
    const problem = disagreement(param, argumentAt(param.path, args), getHeader(param.header) ?? undefined)
    if (problem !== undefined) return problem
  }
  return undefined
}

function disagreement(
  { header, path, type }: ParamHeader,
  value: unknown,
  sent: string | undefined,
): string | undefined {
  const where = `argument ${path.join('.')}`
  // A value that does not fit into a header is for the tool's schema to refuse.
  if (!isPrimitive(value)) return sent === undefined ? undefined : `${header} is sent, but there is no such ${where}`
  if (sent === undefined) return `${header} is missing, but there is an ${where}`
  try {
    const decoded = decodeHeaderValue(sent)
    return agrees(decoded, value, type) ? undefined : `${header} differs from ${where}`
  } catch (error) {
    if (isRpcError(error)) return `${header}: ${error.message}`
    throw error
  }
}

function agrees(text: string, value: string | number | boolean, type: ParamType): boolean {
  if (type === 'integer' && typeof value === 'number') {
    return /^-?\d+(?:\.0+)?$/.test(text) && Number(text) === value && Number.isSafeInteger(value)
  }
  return text === String(value)
}
