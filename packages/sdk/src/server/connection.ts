import { ErrorCode, isMcpError, isRpcError, McpError, RpcError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { Channel, ChannelInfo, KeptChange, Sink } from '../jsonrpc/channel.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, Notification, RequestId, WireError } from '../jsonrpc/message.ts'
import { Peer } from '../jsonrpc/peer.ts'
import type { PeerDelegate, PeerOptions } from '../jsonrpc/peer-options.ts'
import type { WaitOptions } from '../jsonrpc/pending.ts'
import type { Whereabouts } from '../telemetry/events.ts'
import { readTraceContext, type TraceContext, withTraceContext } from '../telemetry/trace-context.ts'
import { isConnectionWatched, isWatched, watchConnection } from '../telemetry/watch.ts'
import type { Codec } from '../wire/codec.ts'
import { codecFor } from '../wire/codecs.ts'
import type { Backend } from './backend.ts'
import type { AuthInfo, ConnectionInfo } from './caller.ts'
import type { CallerState } from './caller-state.ts'
import type { ConversationHost } from './conversation.ts'
import { openings } from './conversations.ts'
import type { Definition } from './definition/definition.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import { serverWhereabouts, watchAsk, watchServerRequest } from './dispatch/request-telemetry.ts'
import { ServerCall } from './dispatch/server-call.ts'
import { toWireError } from './dispatch/wire-error.ts'
import type { ClientSession } from './session/client-session.ts'
import { openConnectionSession, type SessionHost } from './session/handshake.ts'
import { OpenSubscriptions } from './subscriptions/open-subscriptions.ts'

const defaultAskTimeoutMs = 600_000
const defaultMaxListens = 100

/** The promise of the reason for an end. */
interface Ending {
  readonly promise: Promise<McpError>
  readonly resolve?: (reason: McpError) => void
}

function newEnding(): Ending {
  let resolve!: (reason: McpError) => void
  const promise = new Promise<McpError>((end) => {
    resolve = end
  })
  return { promise, resolve }
}

/** One client on one channel. Its requests may belong to a session or stand alone, even at the same time. */
export class ServedConnection implements PeerDelegate, ConversationHost, SessionHost {
  readonly info: ConnectionInfo
  readonly channel: Channel
  session: ClientSession | undefined
  readonly #dispatcher: Dispatcher
  readonly #peer: Peer
  #listens: OpenSubscriptions | undefined
  readonly #since = Date.now()
  #ending: Ending | undefined

  constructor(
    dispatcher: Dispatcher,
    channel: Channel,
    info: ConnectionInfo,
    limits: PeerOptions = dispatcher.peerOptions,
  ) {
    this.#dispatcher = dispatcher
    this.info = info
    this.channel = channel
    this.#peer = new Peer(channel, this, limits)
    if (isConnectionWatched('server')) watchConnection('server', this.#where, { since: this.#since })
    this.#peer.open()
  }

  get definition(): Definition {
    return this.#dispatcher.definition
  }

  /** Why it ended, once it has. Made when first read: of ten thousand sessions nobody does. */
  get ended(): Promise<McpError> {
    this.#ending ??= newEnding()
    return this.#ending.promise
  }

  /** The client, once a handshake took place. Requests may come with tokens of their own: see `asCaller`. */
  get caller(): CallerState | undefined {
    return this.session?.caller
  }

  /** Looks something up for a request that came with a token; its caller is undefined before the handshake. */
  async asCaller<T>(auth: AuthInfo | undefined, use: (caller: CallerState | undefined) => Promise<T>): Promise<T> {
    const caller = this.caller?.as(auth)
    try {
      return await use(caller)
    } finally {
      if (caller !== undefined && caller !== this.caller) this.definition.release(caller)
    }
  }

  /** True while requests of the client are being answered. */
  get busy(): boolean {
    return this.#peer.inFlight.incoming > 0
  }

  /** Why an array is not taken as a batch; undefined if it is. */
  refuseBatch(messages: unknown[]): string | undefined {
    return this.#peer.refuseBatch(messages)
  }

  async close(): Promise<void> {
    await this.#endListens()
    await this.#peer.close()
  }

  async ping(): Promise<void> {
    // Without a handshake a server only answers.
    if (this.session === undefined) throw new McpError('unsupported', 'ping needs a client that sent initialize')
    await this.ask('ping', {}, {})
  }

  // PeerDelegate

  request(request: IncomingRequest): MaybePromise<JsonObject> {
    for (const opening of openings) {
      const answer = opening.receive(request, this)
      if (answer !== undefined) return answer
    }
    throw unopened(this.definition, request.method)
  }

  notification(notification: Notification, sink: Sink): void {
    const { method, params = {} } = notification
    const { backend } = this.definition
    if (backend !== undefined) this.#passOn(notification, sink, backend)
    switch (method) {
      case 'notifications/initialized':
        if (this.session === undefined) return
        this.session.ready = true
        backend?.ready(this)
        return
      case 'notifications/cancelled': {
        const { requestId, reason } = this.#codec.decodeParams(method, params)
        if (requestId !== undefined)
          this.#peer.cancelIncoming(requestId as RequestId, `The client cancelled: ${reason ?? 'no reason given'}`)
        return
      }
      case 'notifications/progress': {
        const progress = this.#codec.decodeParams(method, params)
        this.#peer.progressed(progress.progressToken as RequestId, progress)
        return
      }
      case 'notifications/roots/list_changed':
        this.session?.rootsChanged(sink.auth)
    }
  }

  abandoned(requestId: RequestId, _method: string, reason: McpError): void {
    this.notify('notifications/cancelled', { requestId, reason: reason.message })
  }

  toWireError(thrown: unknown, request: IncomingRequest): WireError {
    return toWireError(thrown, (cause) => this.definition.report(cause, request.method))
  }

  protocolError(error: Error): void {
    if (isRpcError(error) || isMcpError(error)) this.definition.reportPeer(error, 'connection')
    else this.definition.report(error, 'connection')
  }

  /** The client sends nothing more: requests that stay open until they are cancelled would stay for ever. */
  draining(): void {
    void this.#endListens()
  }

  closed(reason: McpError): void {
    this.definition.backend?.closed(this, this.info)
    if (isConnectionWatched('server')) watchConnection('server', this.#where, { since: this.#since, reason })
    this.session?.end()
    if (this.#ending === undefined) this.#ending = { promise: Promise.resolve(reason) }
    else this.#ending.resolve?.(reason)
  }

  batches(): boolean {
    return this.caller?.codec.batches ?? false
  }

  errorsWithoutId(): boolean {
    return this.#codec.errorsWithoutId
  }

  answersForeign(): boolean {
    return true
  }

  // ConversationHost

  /** A caller that exists for one request takes its contexts along. */
  answerOnce(request: IncomingRequest, caller: CallerState): MaybePromise<JsonObject> {
    return this.definition.makesContexts ? this.#answerAndRelease(request, caller) : this.#answer(request, caller)
  }

  openSession(request: IncomingRequest): MaybePromise<JsonObject> {
    return isWatched('server.request') ? this.#watchedOpening(request) : openConnectionSession(this, request)
  }

  /** A request that brings its own token is answered for a caller of its own. */
  answerInSession(request: IncomingRequest): MaybePromise<JsonObject> | undefined {
    const session = this.caller
    if (session === undefined) return undefined
    const caller = session.as(request.sink.auth)
    return caller === session ? this.#answer(request, session) : this.answerOnce(request, caller)
  }

  // Outlet

  get askTimeoutMs(): number {
    return this.definition.options.limits?.askTimeoutMs ?? defaultAskTimeoutMs
  }

  get listens(): OpenSubscriptions {
    this.#listens ??= new OpenSubscriptions(this.definition.options.limits?.maxListens ?? defaultMaxListens)
    return this.#listens
  }

  get about(): ChannelInfo | undefined {
    return this.channel.about
  }

  get client(): object {
    return this
  }

  keep(change: KeptChange): MaybePromise<void> {
    return this.channel.keep?.(change)
  }

  notify(method: string, params?: JsonObject, about?: IncomingRequest): MaybePromise<void> {
    return this.#peer.notify(method, params, about?.sink)
  }

  deliver(method: string, params: JsonObject): MaybePromise<void> {
    return this.#peer.deliver(method, params)
  }

  ask(method: string, params: JsonObject, wait: WaitOptions, about?: IncomingRequest): Promise<JsonObject> {
    if (!this.session?.ready && method !== 'ping') {
      const problem = `${method} has to wait until the client has sent notifications/initialized`
      return Promise.reject(new McpError('unsupported', problem))
    }
    const id = this.#peer.reserveId()
    const trace = readTraceContext(about?.params?._meta)
    const send = (sent: TraceContext | undefined): Promise<JsonObject> =>
      this.#peer.request(id, method, withTraceContext(params, sent), wait, about?.sink)
    return isWatched('server.ask') ? watchAsk({ id, method, params, trace }, this.#where, send) : send(trace)
  }

  // The rest

  #passOn(notification: Notification, sink: Sink, backend: Backend): void {
    const { info, definition } = this
    backend.notified(notification, { connection: this, info, auth: sink.auth ?? info.auth }, definition)
  }

  /** Apart, because a function that makes closures costs something even if it does not make them. */
  #watchedOpening(request: IncomingRequest): MaybePromise<JsonObject> {
    return watchServerRequest(request, this.#where, () => openConnectionSession(this, request))
  }

  get #where(): Whereabouts {
    return serverWhereabouts(this.info, this.caller, this.about)
  }

  /** The codec of the session, or before there is one that of the newest revision. */
  get #codec(): Codec {
    return this.caller?.codec ?? codecFor(this.definition.revisions.at(-1)!)
  }

  #answer(request: IncomingRequest, caller: CallerState): MaybePromise<JsonObject> {
    return this.#dispatcher.answer(new ServerCall(request, caller, this))
  }

  async #answerAndRelease(request: IncomingRequest, caller: CallerState): Promise<JsonObject> {
    try {
      return await this.#answer(request, caller)
    } finally {
      this.definition.release(caller)
    }
  }

  /** One page of the specification ends them with a result, another with a notification: so both are sent. */
  async #endListens(): Promise<void> {
    for (const requestId of await this.listens.end()) {
      void this.notify('notifications/cancelled', { requestId, reason: 'The server ends the subscription' })
    }
  }
}

/** The error for a request that belongs to no conversation. */
function unopened(definition: Definition, method: string): RpcError {
  const ways = openings.flatMap((opening) => opening.unopened(definition) ?? [])
  return new RpcError(ErrorCode.InvalidParams, `${method} came ${ways.toReversed().join(', and ')}`)
}
