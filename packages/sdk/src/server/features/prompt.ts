import { McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Icon, Meta } from '../../model/meta.ts'
import type { GetPromptResult, Prompt, PromptArgument, PromptMessage } from '../../model/prompts.ts'
import { checkKinds, type OptionKinds } from '../../options/check-kinds.ts'
import { type InferSchema, type Schema, type SchemaLike, toSchema } from '../../schema/bridge.ts'
import { type NeededScopes, type ScopeRule, scopeRule, visibleWithScopes } from '../access/scopes.ts'
import type { Visible } from '../access/visibility.ts'
import type { RequestContext } from '../context.ts'
import { checkMetaKeys } from '../definition/check-meta-keys.ts'
import { checkHandler, checkPresent } from '../definition/check-names.ts'
import type { InputRequired } from '../questions/input-required.ts'
import type { Completer } from './completion.ts'

/** The return value of a prompt: one user message, messages, or messages with a description. */
export type PromptReturn = string | PromptMessage[] | GetPromptResult | InputRequired

export interface PromptOptions<A extends SchemaLike, App> {
  name: string
  title?: string
  description?: string
  /** A schema of an object whose members are strings: that is all the protocol carries. */
  arguments?: A
  /** Suggests values while an argument is being typed. Enumerated arguments complete themselves. */
  complete?: { [Name in keyof InferSchema<A> & string]?: Completer<App> }
  icons?: Icon[]
  meta?: Meta
  /** Who sees the prompt; for everybody else it does not exist. */
  visible?: Visible<App>
  /**
   * The scopes that callers need. Without them a request is answered with the missing scopes, and
   * it is not listed, unless `listed` says so.
   */
  scopes?: NeededScopes
  run(args: InferSchema<A>, ctx: RequestContext<App>): MaybePromise<PromptReturn>
}

/** A prompt, compiled: made by `prompt`, used by any number of servers. */
export interface ServerPrompt<App = unknown> {
  readonly kind: 'prompt'
  readonly name: string
  readonly listed: Prompt
  readonly arguments: Schema<unknown> | undefined
  readonly completers: ReadonlyMap<string, Completer<App>>
  readonly visible: Visible<App> | undefined
  readonly scopes: ScopeRule<App> | undefined
  readonly run: (args: unknown, ctx: RequestContext<App>) => unknown
}

const optionKinds: OptionKinds<PromptOptions<never, never>> = {
  name: 'any',
  title: 'string',
  description: 'string',
  arguments: 'any',
  complete: 'object',
  icons: 'array',
  meta: 'object',
  visible: 'function',
  scopes: 'any',
  run: 'any',
}

type NoArguments = { type: 'object' }

/**
 * Defines a prompt.
 *
 * @example
 * const review = prompt({
 *   name: 'review',
 *   arguments: z.object({ code: z.string(), tone: z.enum(['kind', 'strict']).optional() }),
 *   run: ({ code, tone = 'kind' }) => `Review this code, be ${tone}:\n\n${code}`,
 * })
 */
export function prompt<const A extends SchemaLike = NoArguments, App = unknown>(
  options: PromptOptions<A, App>,
): ServerPrompt<App> {
  const { name, title, description, icons, meta } = options ?? {}
  const what = `prompt ${JSON.stringify(name)}`
  checkKinds(options, optionKinds, what)
  checkPresent(name, what)
  checkHandler(options, 'run', what)
  checkMetaKeys(options.meta, what)
  const schema = options.arguments && toSchema(options.arguments, 'input', `${what} arguments`)
  const properties = schema === undefined ? [] : argumentSchemas(schema, what)
  const scopes = scopeRule(options, what)
  return Object.freeze({
    kind: 'prompt',
    name,
    listed: {
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(properties.length > 0 && { arguments: properties.map(toArgument) }),
      ...(icons && { icons }),
      ...(meta && { _meta: meta }),
    },
    arguments: schema,
    completers: completers<App>(properties, options.complete ?? {}, what),
    visible: visibleWithScopes(scopes, options.visible),
    scopes,
    run: options.run as ServerPrompt<App>['run'],
  })
}

interface ArgumentSchema {
  name: string
  required: boolean
  schema: { title?: unknown; description?: unknown; type?: unknown; enum?: unknown; const?: unknown }
}

function argumentSchemas({ json }: Schema<unknown>, what: string): ArgumentSchema[] {
  if (json.type !== 'object') {
    throw new McpError('invalid_definition', `${what} arguments: expected a schema of an object with string members`)
  }
  const required: ReadonlySet<unknown> = new Set(Array.isArray(json.required) ? json.required : [])
  return Object.entries((json.properties ?? {}) as { [name: string]: ArgumentSchema['schema'] }).map(
    ([name, schema]) => {
      if (schema.type !== undefined && schema.type !== 'string') {
        throw new McpError(
          'invalid_definition',
          `${what} arguments.${name}: expected a string, got ${JSON.stringify(schema.type)}; prompt arguments travel as strings`,
        )
      }
      return { name, required: required.has(name), schema }
    },
  )
}

const toArgument = ({ name, required, schema }: ArgumentSchema): PromptArgument => ({
  name,
  ...(typeof schema.title === 'string' && { title: schema.title }),
  ...(typeof schema.description === 'string' && { description: schema.description }),
  required,
})

function completers<App>(
  properties: ArgumentSchema[],
  given: { [name: string]: Completer<App> | undefined },
  what: string,
): ReadonlyMap<string, Completer<App>> {
  const all = new Map<string, Completer<App>>()
  for (const { name, schema } of properties) {
    const values = Array.isArray(schema.enum) ? (schema.enum as string[]) : undefined
    if (values) all.set(name, (typed) => values.filter((value) => value.startsWith(typed)))
  }
  for (const [name, completer] of Object.entries(given)) {
    if (!properties.some((property) => property.name === name)) {
      throw new McpError('invalid_definition', `${what} complete.${name}: there is no such argument`)
    }
    if (completer) all.set(name, completer)
  }
  return all
}
