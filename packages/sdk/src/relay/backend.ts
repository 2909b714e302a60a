import type { JsonObject, Notification } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import type { Backend } from '../server/backend.ts'
import type { CallerState } from '../server/caller.ts'
import type { Outlet } from '../server/context.ts'
import type { Definition } from '../server/definition/definition.ts'
import type { Call } from '../server/dispatch/call.ts'
import { methodNotFound } from '../server/dispatch/dispatcher.ts'
import { Interrupted, startRound } from '../server/questions/round.ts'
import { withRequestState } from '../server/stateless/request-state.ts'
import { isRequest } from '../wire/codecs.ts'
import { withoutHop } from '../wire/passing.ts'
import { serverInfoMeta, serverInfoOf, withServerInfo } from '../wire/server-info.ts'
import type { BackendHandlers } from './backend-handlers.ts'
import { listenWith } from './backend-listen.ts'
import { BackendRequest } from './backend-request.ts'
import { BackendSession } from './backend-session.ts'

const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get'])

/**
 * What answers for a server in place of what it has registered: for proxies. Handshakes, revisions, questions over
 * several rounds with their sealed state, and what a revision says differently stay with the library.
 *
 * @example
 * const server = createServer({ name: 'proxy', version: '1.0.0', backend: backend({ introduce, answer, listen }) })
 */
export function backend(handlers: BackendHandlers): Backend {
  return new RelayBackend(handlers)
}

class RelayBackend implements Backend {
  readonly #handlers: BackendHandlers
  readonly #sessions = new WeakMap<Outlet, BackendSession>()

  constructor(handlers: BackendHandlers) {
    this.#handlers = handlers
  }

  async answer(call: Call, definition: Definition): Promise<JsonObject> {
    const { codec } = call.caller
    const { method } = call.request
    const known = codec.requests.client.has(method)
    if (!known && isRequest(method)) throw methodNotFound(method, `revision ${codec.revision} has no such method`)
    const params = known ? codec.decodeParams(method, call.request.params) : (call.request.params ?? {})
    return this.#encode(call, definition, await this.#run(call, definition, params))
  }

  async introduce(state: CallerState, outlet: Outlet): Promise<JsonObject> {
    const session = new BackendSession(state, outlet)
    this.#sessions.set(outlet, session)
    try {
      const { info, capabilities, instructions } = await this.#handlers.introduce(session)
      return {
        ...(info && { serverInfo: info }),
        capabilities,
        ...(instructions !== undefined && { instructions }),
      }
    } catch (error) {
      this.#sessions.delete(outlet)
      this.#handlers.closed?.(session)
      throw error
    }
  }

  ready(outlet: Outlet): void {
    this.#sessions.get(outlet)?.markReady()
  }

  notified(notification: Notification, outlet: Outlet): void {
    const session = this.#sessions.get(outlet)
    if (session !== undefined) this.#handlers.notified?.(session, notification)
  }

  closed(outlet: Outlet): void {
    const session = this.#sessions.get(outlet)
    this.#sessions.delete(outlet)
    if (session !== undefined) this.#handlers.closed?.(session)
    this.#handlers.lineClosed?.(outlet)
  }

  #run(call: Call, definition: Definition, params: JsonObject): Promise<JsonObject> {
    const { method } = call.request
    const request = new BackendRequest(call, params)
    if (method === 'server/discover') return this.#discover(request, definition)
    if (method === 'subscriptions/listen') return listenWith(this.#handlers, call, request)
    if (!mayAsk.has(method) || call.caller.codec.handshake) return this.#perform(call, request)
    if (typeof params.requestState !== 'string')
      return Promise.resolve(startRound(call, definition, params).finish(this.#perform(call, request)))
    return withRequestState(call, definition, params, async ({ memory }) =>
      startRound(call, definition, params, memory).finish(this.#perform(call, request)),
    )
  }

  async #perform(call: Call, request: BackendRequest): Promise<JsonObject> {
    const returned = await call.run(() => this.#handlers.answer(request))
    return returned instanceof Interrupted ? returned.result : (returned as JsonObject)
  }

  async #discover(request: BackendRequest, definition: Definition): Promise<JsonObject> {
    const { info = definition.info, capabilities, instructions } = await this.#handlers.introduce(request)
    return {
      supportedVersions: definition.revisions.toReversed(),
      capabilities,
      ...(instructions !== undefined && { instructions }),
      _meta: { [metaKeys.serverInfo]: info },
    }
  }

  /** Where there is no handshake, every result says who sent it: whoever it comes from, if it says so. */
  #encode({ caller: { codec }, request: { method } }: Call, definition: Definition, result: JsonObject): JsonObject {
    if (codec.handshake) return codec.encodeResult(method, withoutHop(result))
    const { name, version } = serverInfoOf(result) ?? definition.info
    const info = method === 'server/discover' ? serverInfoOf(result)! : { name, version }
    return codec.encodeResult(method, withServerInfo(result, serverInfoMeta(info)))
  }
}
