import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CompleteParams, CompleteResult } from '../../model/completion.ts'
import type { GetPromptResult, ListPromptsResult } from '../../model/prompts.ts'
import type { ListResourcesResult, ListResourceTemplatesResult, ReadResourceResult } from '../../model/resources.ts'
import type { CallToolResult, ListToolsResult } from '../../model/tools.ts'
import type { RequestContext } from '../context.ts'

/** The operations that middleware sees, each with its params and its result. */
export interface Operations {
  'tools/list': [{ cursor?: string }, ListToolsResult]
  'tools/call': [{ name: string; arguments?: JsonObject }, CallToolResult]
  'resources/list': [{ cursor?: string }, ListResourcesResult]
  'resources/templates/list': [{ cursor?: string }, ListResourceTemplatesResult]
  'resources/read': [{ uri: string }, ReadResourceResult]
  'prompts/list': [{ cursor?: string }, ListPromptsResult]
  'prompts/get': [{ name: string; arguments?: { [name: string]: string } }, GetPromptResult]
  'completion/complete': [CompleteParams, CompleteResult]
}

export type OperationName = keyof Operations

/** One operation on its way to its handler. */
export interface Operation<M extends OperationName, App> {
  readonly method: M
  readonly params: Operations[M][0]
  readonly ctx: RequestContext<App>
}

/** Goes on to the next layer, with the same params unless others are given. */
export type Next<M extends OperationName> = (params?: Operations[M][0]) => Promise<Operations[M][1]>

type Layer<M extends OperationName, App> = (
  operation: Operation<M, App>,
  next: Next<M>,
) => MaybePromise<Operations[M][1]>

/**
 * Middleware for all operations at once, or for the named ones. The first in the list is the outermost. A handler that
 * has to ask a client from 2026-07-28 gives a result with `resultType: 'input_required'`, which passes through here; the
 * operation comes again with the answers.
 */
export type Middleware<App = unknown> =
  | ((operation: Operation<OperationName, App>, next: Next<OperationName>) => Promise<JsonObject | object>)
  | { [M in OperationName]?: Layer<M, App> }

type AnyLayer<App> = (
  operation: { method: string; params: JsonObject; ctx: RequestContext<App> },
  next: (params?: JsonObject) => Promise<JsonObject>,
) => Promise<JsonObject>

/** The layers of each operation, picked once; an operation without any costs one lookup. */
export class MiddlewareStack<App> {
  readonly #byMethod = new Map<string, AnyLayer<App>[]>()

  constructor(middleware: readonly Middleware<App>[]) {
    for (const method of operationNames) {
      const layers = middleware
        .map((one) => (typeof one === 'function' ? one : one[method]) as AnyLayer<App> | undefined)
        .filter((layer) => layer !== undefined)
      if (layers.length > 0) this.#byMethod.set(method, layers)
    }
  }

  has(method: string): boolean {
    return this.#byMethod.has(method)
  }

  /** Runs an operation through its layers, onion-wise. */
  run<R extends MaybePromise<JsonObject>>(
    method: string,
    params: JsonObject,
    makeContext: () => MaybePromise<RequestContext<App>>,
    handler: (params: JsonObject) => R,
  ): R | Promise<JsonObject> {
    const layers = this.#byMethod.get(method)
    return layers === undefined ? handler(params) : runLayers(layers, method, params, makeContext, handler)
  }
}

async function runLayers<App>(
  layers: AnyLayer<App>[],
  method: string,
  params: JsonObject,
  makeContext: () => MaybePromise<RequestContext<App>>,
  handler: (params: JsonObject) => MaybePromise<JsonObject>,
): Promise<JsonObject> {
  const ctx = await makeContext()
  const enter = async (index: number, current: JsonObject): Promise<JsonObject> => {
    const layer = layers[index]
    if (layer === undefined) return handler(current)
    return layer({ method, params: current, ctx }, (next = current) => enter(index + 1, next))
  }
  return enter(0, params)
}

const operationNames: readonly OperationName[] = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]
