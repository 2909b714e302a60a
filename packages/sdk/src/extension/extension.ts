import { McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { describe, isObject } from '../jsonrpc/classify.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { wrongExtensionName } from '../model/extension-name.ts'
import { type InferSchema, type InferSchemaInput, type SchemaLike, toSchema } from '../schema/bridge.ts'
import type { RequestContext } from '../server/context.ts'
import type {
  CompiledMethod,
  DescribedExtension,
  ExtensionHandler,
  ServedExtension,
} from '../server/served-extension.ts'
import { isKnownRequest } from '../wire/codecs.ts'

/** The schemas of one method; without one, any object is valid. */
export interface MethodSchemas {
  readonly params?: SchemaLike
  readonly result?: SchemaLike
}

export type Methods = { readonly [method: string]: MethodSchemas }

type Of<S extends MethodSchemas, Side extends 'params' | 'result'> = S extends {
  readonly [K in Side]: infer Given extends SchemaLike
}
  ? Given
  : { readonly [keyword: string]: unknown }
type Read<S> = S extends SchemaLike ? (unknown extends InferSchema<S> ? JsonObject : InferSchema<S>) : JsonObject
type Written<S> = S extends SchemaLike
  ? unknown extends InferSchemaInput<S>
    ? JsonObject
    : InferSchemaInput<S>
  : JsonObject

/** The params that a handler receives. */
export type HandledParams<S extends MethodSchemas> = Read<Of<S, 'params'>>
/** The result that a handler returns. */
export type HandledResult<S extends MethodSchemas> = Written<Of<S, 'result'>>
/** The params that a caller passes. */
export type AskedParams<S extends MethodSchemas> = Written<Of<S, 'params'>>
/** The result that a caller receives. */
export type AskedResult<S extends MethodSchemas> = Read<Of<S, 'result'>>

export interface ExtensionOptions<M extends Methods> {
  /** A name with a prefix that belongs to its author, such as `com.example/search`. */
  id: string
  /** The requests that clients may send to servers. */
  methods?: M
  /**
   * The sides that have to declare the extension before its methods may be used: both (the default), or the server
   * alone, for extensions that need nothing of the client.
   */
  declaredBy?: 'both' | 'server'
}

/** The settings of an extension that one side declares to the other. */
export interface ExtensionSettings {
  settings?: { [setting: string]: unknown }
}

/** The handlers of a server for the methods of an extension. */
export type ExtensionHandlers<M extends Methods, App> = {
  readonly [K in keyof M]: (params: HandledParams<M[K]>, ctx: RequestContext<App>) => MaybePromise<HandledResult<M[K]>>
}

/** An extension of the protocol, described once for both sides. */
export interface Extension<M extends Methods = Methods> extends DescribedExtension {
  /** For `createServer({ extensions })`. */
  serve<App = unknown>(handlers: ExtensionHandlers<M, App>, options?: ExtensionSettings): ServedExtension<App>
  /** For `connect(target, { extensions })`. */
  use(options?: ExtensionSettings): UsedExtension
}

/** A client's part in an extension; made by `Extension.use`. */
export interface UsedExtension {
  readonly kind: 'used-extension'
  readonly extension: Extension
  readonly settings: { readonly [setting: string]: unknown }
}

/**
 * Describes an extension: its name, its methods and their schemas. Servers and clients that use it declare it, validate
 * its messages, and refuse each other when only one of them has it.
 *
 * @example
 * const search = extension({ id: 'com.example/search', methods: { 'search/query': { params, result } } })
 * createServer({ name, version, extensions: [search.serve({ 'search/query': ({ text }) => find(text) })] })
 * const client = await connect(url, { extensions: [search.use()] })
 * const { hits } = await client.extension(search).request('search/query', { text: 'tenon' })
 */
export function extension<const M extends Methods>(options: ExtensionOptions<M>): Extension<M> {
  const { id, declaredBy = 'both' } = options
  const problem = wrongExtensionName([id])
  if (problem !== undefined) throw new McpError('invalid_definition', `extension id: ${problem}`)
  const methods = new Map(Object.entries(options.methods ?? {}).map(([name, given]) => compile(id, name, given)))
  const made: Extension<M> = {
    id,
    declaredBy,
    methods,
    serve: <App>(handlers: ExtensionHandlers<M, App>, { settings = {} }: ExtensionSettings = {}) => {
      checkSettings(id, settings)
      return Object.freeze({
        kind: 'served-extension',
        extension: made as unknown as Extension,
        settings,
        handlers: new Map([...methods.keys()].map((name) => [name, handlerOf<App>(id, name, handlers)])),
      })
    },
    use: ({ settings = {} } = {}) => {
      checkSettings(id, settings)
      return Object.freeze({ kind: 'used-extension', extension: made as unknown as Extension, settings })
    },
  }
  return Object.freeze(made)
}

function compile(id: string, name: string, { params, result }: MethodSchemas): [string, CompiledMethod] {
  if (isKnownRequest(name)) {
    throw new McpError('invalid_definition', `extension ${id}: ${name} is a method of the protocol itself`)
  }
  return [
    name,
    {
      params: params && toSchema(params, 'input', `${name} params`),
      result: result && toSchema(result, 'output', `${name} result`),
    },
  ]
}

function handlerOf<App>(id: string, name: string, handlers: object): ExtensionHandler<App> {
  const handler = Object.hasOwn(handlers, name) ? (handlers as { [name: string]: unknown })[name] : undefined
  if (typeof handler === 'function') return handler as ExtensionHandler<App>
  throw new McpError(
    'invalid_definition',
    `extension ${id}: expected a handler for ${name}, got ${describe(handler)} (there is: ${Object.keys(handlers).join(', ')})`,
  )
}

function checkSettings(id: string, settings: unknown): void {
  if (isObject(settings)) return
  throw new McpError('invalid_definition', `extension ${id} settings: expected an object, got ${describe(settings)}`)
}
