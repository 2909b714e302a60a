import { McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Icon, Meta } from '../../model/meta.ts'
import type { JsonSchema, Tool, ToolAnnotations } from '../../model/tools.ts'
import { checkKinds, type OptionKinds } from '../../options/check-kinds.ts'
import { type InferSchema, type InferSchemaInput, type Schema, type SchemaLike, toSchema } from '../../schema/bridge.ts'
import { type NeededScopes, type ScopeRule, scopeRule, visibleWithScopes } from '../access/scopes.ts'
import type { Visible } from '../access/visibility.ts'
import type { ToolContext } from '../context.ts'
import { checkMetaKeys } from '../definition/check-meta-keys.ts'
import { checkHandler, checkName } from '../definition/check-names.ts'
import type { InputRequired } from '../questions/input-required.ts'
import { type ToolTask, type ToolTaskOptions, toolTask } from '../tasks/task-options.ts'
import type { PlainToolResult, ToolResult, ToolReturn } from './tool-result.ts'

/**
 * Hints for the decision about a call. Without them a client assumes the worst. The names of the specification
 * (`readOnlyHint` and its like) are accepted too.
 */
export interface ToolHints extends ToolAnnotations {
  /** It changes nothing. */
  readOnly?: boolean
  /** It may delete or overwrite. */
  destructive?: boolean
  /** Calling it twice is like calling it once. */
  idempotent?: boolean
  /** It reaches beyond the server: the web, other people. */
  openWorld?: boolean
}

/**
 * The return value of a tool: the data of its output schema, or content. The plain object stands outside of the condition,
 * so that `type: 'text'` in it is not widened to a string while the schemas are being inferred.
 */
type ToolOutput<O extends SchemaLike> =
  | PlainToolResult<[O] extends [never] ? unknown : InferSchemaInput<O>>
  | ([O] extends [never] ? ToolReturn : InferSchemaInput<O> | ToolResult | InputRequired)

export interface ToolOptions<I extends SchemaLike, O extends SchemaLike, App, Name extends string = string> {
  /** 1 to 128 letters, digits, `_`, `-` and `.`. */
  name: Name
  title?: string
  description?: string
  /** A Standard Schema (Zod, Valibot, ArkType, …) or a JSON Schema, of an object. */
  input?: I
  /** The schema of the data that `run` returns. */
  output?: O
  annotations?: ToolHints
  icons?: Icon[]
  meta?: Meta
  /** The tool may run as a task, for clients that know tasks. */
  task?: boolean | ToolTaskOptions
  /** Decides who sees the tool; for everybody else it does not exist. */
  visible?: Visible<App>
  /**
   * The scopes that callers need. Without them a call is answered with the missing scopes, and
   * the tool is not listed, unless `listed` says so.
   */
  scopes?: NeededScopes
  run(input: InferSchema<I>, ctx: ToolContext<App>): MaybePromise<ToolOutput<O>>
}

/** The name and the schemas of a tool, for the types of clients in the same process. */
export interface ToolTypes<Name extends string = string, I = unknown, O = unknown> {
  readonly name: Name
  readonly input: I
  readonly output: O
}

/** Only the type checker knows it. */
declare const toolTypes: unique symbol

/** A tool, compiled: made by `tool`, used by any number of servers. */
export interface ServerTool<App = unknown, Types = unknown> {
  readonly [toolTypes]?: Types
  readonly kind: 'tool'
  readonly name: string
  readonly listed: Tool
  readonly input: Schema<unknown> | undefined
  readonly output: Schema<unknown> | undefined
  readonly visible: Visible<App> | undefined
  readonly scopes: ScopeRule<App> | undefined
  readonly task: ToolTask | undefined
  readonly run: (input: unknown, ctx: ToolContext<App>) => unknown
}

const optionKinds: OptionKinds<ToolOptions<never, never, never>> = {
  name: 'any',
  title: 'string',
  description: 'string',
  input: 'any',
  output: 'any',
  annotations: 'object',
  icons: 'array',
  meta: 'object',
  task: 'any',
  visible: 'function',
  scopes: 'any',
  run: 'any',
}

const hintKinds: OptionKinds<ToolHints> = {
  title: 'string',
  readOnly: 'boolean',
  readOnlyHint: 'boolean',
  destructive: 'boolean',
  destructiveHint: 'boolean',
  idempotent: 'boolean',
  idempotentHint: 'boolean',
  openWorld: 'boolean',
  openWorldHint: 'boolean',
}

type AnyObject = { type: 'object' }

/**
 * Defines a tool. Its schemas are converted here, once: a schema that cannot be converted throws an `McpError`
 * `invalid_definition` that names the path.
 *
 * @example
 * const add = tool({
 *   name: 'add',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ a, b }) => `${a + b}`,
 * })
 */
export function tool<
  const I extends SchemaLike = AnyObject,
  const O extends SchemaLike = never,
  App = unknown,
  const Name extends string = string,
>(options: ToolOptions<I, O, App, Name>): ServerTool<App, ToolTypes<Name, I, O>> {
  const what = `tool ${JSON.stringify(options?.name)}`
  checkKinds(options, optionKinds, what)
  checkName(options.name, what)
  checkHandler(options, 'run', what)
  checkMetaKeys(options.meta, what)
  const input = options.input && toSchema(options.input, 'input', `${what} input`)
  const output = options.output && toSchema(options.output, 'output', `${what} output`)
  const task = toolTask(options.task, what)
  const scopes = scopeRule(options, what)
  return Object.freeze({
    kind: 'tool',
    name: options.name,
    listed: listedTool(options, task, input && objectRooted(input.json, what), output?.json),
    input,
    output,
    visible: visibleWithScopes(scopes, options.visible),
    scopes,
    task,
    run: options.run as ServerTool<App>['run'],
  })
}

function listedTool<I extends SchemaLike, O extends SchemaLike, App>(
  { name, title, description, annotations, icons, meta }: ToolOptions<I, O, App>,
  task: ToolTask | undefined,
  inputSchema: JsonSchema = { type: 'object', properties: {}, additionalProperties: false },
  outputSchema?: JsonSchema,
): Tool {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations: toAnnotations(annotations, `tool ${JSON.stringify(name)}`) }),
    ...(task && { execution: { taskSupport: task.required ? 'required' : 'optional' } }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  }
}

const hintNames = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const

function toAnnotations(hints: ToolHints, what: string): ToolAnnotations {
  checkKinds(hints, hintKinds, `${what} annotations`)
  const annotations: ToolAnnotations = hints.title === undefined ? {} : { title: hints.title }
  for (const name of hintNames) {
    const { [name]: short, [`${name}Hint` as const]: long } = hints
    if (short !== undefined && long !== undefined && short !== long) {
      const problem = `${name} is ${short}, and ${name}Hint is ${long}`
      throw new McpError('invalid_definition', `${what} annotations: expected one value, but ${problem}`)
    }
    const value = short ?? long
    if (value !== undefined) annotations[`${name}Hint`] = value
  }
  return annotations
}

/** Arguments are always an object, and every revision wants the schema to say so at its root. */
function objectRooted(schema: JsonSchema, what: string): JsonSchema {
  if (schema.type === 'object') return schema
  const combined = schema.type === undefined && (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? schema.$ref)
  // A union of objects says the same with the type at its root; only arguments that no client can send are lost.
  if (combined !== undefined && combined !== false) return { type: 'object', ...schema }
  throw new McpError(
    'invalid_definition',
    `${what} input: expected a schema of an object, got ${schema.type === undefined ? 'a schema without a type' : `type ${JSON.stringify(schema.type)}`}`,
  )
}
