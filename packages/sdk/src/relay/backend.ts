import type { JsonObject, Notification } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import type { BackedServer, Backend, NotificationSender, SessionOutlet } from '../server/backend.ts'
import type { CallerState } from '../server/caller-state.ts'
import type { MountingServer } from '../server/definition/offers.ts'
import type { Call } from '../server/dispatch/call.ts'
import type { Outlet } from '../server/dispatch/outlet.ts'
import { answerMethod, decodeParams, type Method, methodNotFound } from '../server/dispatch/pipeline.ts'
import { Interrupted } from '../server/questions/round.ts'
import { isKnownRequest } from '../wire/codecs.ts'
import { withoutHop } from '../wire/passing.ts'
import type { BackendHandlers } from './backend-handlers.ts'
import { listenWith } from './backend-listen.ts'
import { BackendRequest } from './backend-request.ts'
import { readSender } from './backend-sender.ts'
import { BackendSession } from './backend-session.ts'
import { CompositeBackend } from './mounted/composite-backend.ts'
import { withOwnTasks } from './own-tasks.ts'

/**
 * Answers for a server in place of everything that it has registered: for proxies. Handshakes, revisions, questions over
 * several rounds with their sealed state, and the differences between revisions stay with the library.
 *
 * @example
 * const server = createServer({ name: 'proxy', version: '1.0.0', backend: backend({ introduce, answer, listen }) })
 */
export function backend(handlers: BackendHandlers): Backend {
  // Every way to the handlers leads through this, also that of a server into which this one is mounted.
  const guarded = withOwnTasks(handlers)
  const made = new RelayBackend(guarded)
  handlersOf.set(made, guarded)
  return made
}

const handlersOf = new WeakMap<Backend, BackendHandlers>()

class RelayBackend implements Backend {
  readonly #handlers: BackendHandlers
  readonly #sessions = new WeakMap<Outlet, BackendSession>()
  readonly #methods: ReadonlyMap<string, Method<BackedServer>>
  readonly #other: Method<BackedServer>

  constructor(handlers: BackendHandlers) {
    this.#handlers = handlers
    const run: Method<BackedServer>['run'] = (call, _server, params) => this.#perform(call, params)
    const asking: Method<BackedServer> = { asks: true, run }
    this.#other = { run }
    this.#methods = new Map<string, Method<BackedServer>>([
      ['server/discover', { run: (call, server, params) => this.#discover(new BackendRequest(call, params), server) }],
      [
        'subscriptions/listen',
        { run: (call, _server, params) => listenWith(handlers, call, new BackendRequest(call, params)) },
      ],
      ['tools/call', asking],
      ['resources/read', asking],
      ['prompts/get', asking],
    ])
  }

  async answer(call: Call, server: BackedServer): Promise<JsonObject> {
    const { codec, revision } = call.caller
    const { method, params } = call.request
    const known = codec.requests.client.has(method)
    if (!known && isKnownRequest(method)) throw methodNotFound(method, `revision ${revision} has no such method`)
    const decoded = known ? decodeParams(call) : (params ?? {})
    return answerMethod(call, server, this.#methods.get(method) ?? this.#other, decoded, ({ caller }, result) =>
      codec.encodeResult(method, caller.conversation.passOn(result, method, server.info)),
    )
  }

  async introduce(state: CallerState, outlet: SessionOutlet): Promise<JsonObject> {
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

  notified(notification: Notification, from: NotificationSender, server: BackedServer): void {
    const session = from.connection && this.#sessions.get(from.connection)
    const sender = session ?? readSender(notification, from, server)
    const { params } = notification
    const passed = params === undefined ? notification : { ...notification, params: withoutHop(params) }
    if (sender !== undefined) this.#handlers.notified?.(sender, passed)
  }

  closed(outlet: Outlet): void {
    const session = this.#sessions.get(outlet)
    this.#sessions.delete(outlet)
    if (session !== undefined) this.#handlers.closed?.(session)
    this.#handlers.lineClosed?.(outlet)
  }

  compose(server: MountingServer): Backend {
    return new CompositeBackend(server, (part) => handlersOf.get(part)!)
  }

  async #perform(call: Call, params: JsonObject): Promise<JsonObject> {
    const request = new BackendRequest(call, params)
    const returned = await call.run(() => this.#handlers.answer(request))
    return returned instanceof Interrupted ? returned.result : (returned as JsonObject)
  }

  async #discover(request: BackendRequest, server: BackedServer): Promise<JsonObject> {
    const { info = server.info, capabilities, instructions } = await this.#handlers.introduce(request)
    return {
      supportedVersions: server.revisions.toReversed(),
      capabilities,
      ...(instructions !== undefined && { instructions }),
      _meta: { [metaKeys.serverInfo]: info },
    }
  }
}
