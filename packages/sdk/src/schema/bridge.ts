import { isMcpError, McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { JsonSchema } from '../model/tools.ts'
import { compileSchemaWith } from './compile-schema.ts'
import { convertStandard } from './convert.ts'
import type { ZodLike } from './infer.ts'
import type { ParseIssue } from './issues.ts'
import { copyJson } from './json-copy.ts'
import { LatePatterns } from './late-patterns.ts'
import type { StandardIssue, StandardJsonSchemaV1, StandardProps, StandardResult } from './standard.ts'
import { isObject } from './value.ts'

export type { InferSchema, InferSchemaInput } from './infer.ts'
export { formatIssues, type ParseIssue } from './issues.ts'

/** A JSON Schema whose type is an interface, as TypeBox makes them. Every one of them has some of these members. */
export interface JsonSchemaLike {
  /** Only Valibot schemas have this: they need `toStandardJsonSchema` first, and the editor shows it. */
  readonly '~run'?: undefined
  readonly '~kind'?: unknown
  readonly '~unsafe'?: unknown
  readonly $schema?: unknown
  readonly $ref?: unknown
  readonly type?: unknown
  readonly properties?: unknown
  readonly required?: unknown
  readonly enum?: unknown
  readonly const?: unknown
  readonly anyOf?: unknown
  readonly oneOf?: unknown
  readonly allOf?: unknown
}

/** A schema that users may write: Standard Schema with its JSON Schema half, or JSON Schema (2020-12 or draft-07). */
export type SchemaLike<Input = unknown, Output = Input> =
  | ZodLike
  | StandardJsonSchemaV1<Input, Output>
  | JsonSchemaLike
  | { readonly [keyword: string]: unknown }

export type ParseResult<T> = { ok: true; value: T } | { ok: false; issues: ParseIssue[] }

/** A compiled schema: the JSON Schema for the peer, and the check of a value. */
export interface Schema<T> {
  readonly json: JsonSchema
  /** Synchronous unless the schema library is asynchronous, or patterns have to be loaded first. */
  parse(value: unknown): MaybePromise<ParseResult<T>>
}

/** Compiles a schema, or throws at once: an `invalid_definition` that names `what` and the place of the fault. */
export function toSchema(schema: SchemaLike, use: 'input' | 'output', what: string): Schema<unknown> {
  const standard = (schema as { '~standard'?: StandardProps })?.['~standard']
  if (standard) return fromStandard(standard, use, what)
  if (!isObject(schema))
    throw new McpError(
      'invalid_definition',
      `${what}: expected a schema, got ${schema === null ? 'null' : typeof schema}`,
    )
  if (isShape(schema)) {
    throw new McpError(
      'invalid_definition',
      `${what}: expected a schema, got an object of schemas; wrap it in z.object(...) or its like`,
    )
  }
  return fromJson(schema, what)
}

/** `{ a: z.string() }` instead of `z.object({ a: z.string() })`. */
function isShape(schema: Record<string, unknown>): boolean {
  const members = Object.values(schema)
  return (
    members.length > 0 &&
    members.every((member) => (member as { '~standard'?: unknown } | null)?.['~standard'] !== undefined)
  )
}

function fromStandard(standard: StandardProps, use: 'input' | 'output', what: string): Schema<unknown> {
  const json = convertStandard(standard, use, what)
  return {
    json,
    parse(value) {
      const result = standard.validate(value)
      return 'then' in result ? result.then(toParseResult) : toParseResult(result)
    },
  }
}

function fromJson(schema: Record<string, unknown>, what: string): Schema<unknown> {
  const json = copyJson(schema, what) as JsonSchema
  const patterns = new LatePatterns()
  const compiled = naming(what, () => compileSchemaWith(patterns.compile, json))
  const check = (value: unknown): ParseResult<unknown> => {
    const issues = compiled.validate(value)
    return issues.length === 0 ? { ok: true, value } : { ok: false, issues }
  }
  return { json, parse: (value) => (patterns.areReady ? check(value) : patterns.load().then(() => check(value))) }
}

function naming<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw isMcpError(cause) ? new McpError(cause.code, `${what}: ${cause.message}`, { cause }) : cause
  }
}

const toParseResult = (result: StandardResult<unknown>): ParseResult<unknown> =>
  result.issues ? { ok: false, issues: result.issues.map(toIssue) } : { ok: true, value: result.value }

function toIssue(issue: StandardIssue): ParseIssue {
  const keys = (issue.path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment))
  // ArkType repeats the path in `message`; `problem` is the message without it.
  const { problem } = issue as { problem?: unknown }
  return {
    path: Array.from(keys, (key) => (typeof key === 'number' ? key : String(key))),
    message: typeof problem === 'string' ? problem : issue.message,
  }
}
