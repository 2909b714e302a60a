import type { Hold } from '../budget.ts'
import { ErrorCode, McpError, RpcError } from '../errors.ts'
import { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, Notification, RequestId, WireError } from '../jsonrpc/message.ts'
import { Peer } from '../jsonrpc/peer.ts'
import type { PeerDelegate, PeerOptions } from '../jsonrpc/peer-options.ts'
import type { WaitOptions } from '../jsonrpc/pending.ts'
import type { LoggingLevel } from '../model/logging.ts'
import type { Implementation } from '../model/meta.ts'
import type { Soon } from '../soon.ts'
import type { Whereabouts } from '../telemetry/events.ts'
import { readTraceContext, type TraceContext, withTraceContext } from '../telemetry/trace-context.ts'
import { isConnectionWatched, isWatched, watchConnection } from '../telemetry/watch.ts'
import type { Channel, ChannelInfo, Sink } from '../transport/channel.ts'
import type { Codec } from '../wire/codec.ts'
import { codecFor } from '../wire/codecs.ts'
import { isIdentified } from './access/caller-owner.ts'
import type { Backend } from './backend.ts'
import { type AuthInfo, CallerState, type ConnectionInfo } from './caller.ts'
import { boundedIdentity } from './client-identity.ts'
import { HandlerContext, type Outlet } from './context.ts'
import type { ChangeListener, Definition, ServerChange } from './definition/definition.ts'
import { Call } from './dispatch/call.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import { serverWhereabouts, watchAsk, watchServerRequest } from './dispatch/request-telemetry.ts'
import { toWireError } from './dispatch/wire-error.ts'
import {
  callerOf,
  declaredCapabilities,
  handshakeRefused,
  isSelfContained,
  unopened,
} from './stateless/request-meta.ts'
import { ChangeNotifier, type ChangeSubscriber } from './subscriptions/change-notifier.ts'
import { OpenSubscriptions } from './subscriptions/open-subscriptions.ts'
import type { TopicSelection } from './subscriptions/topics.ts'

/** A client that did not set a level hears what an operator would want to know. */
const defaultLogLevel: LoggingLevel = 'info'
const defaultAskTimeoutMs = 600_000
const defaultMaxListens = 100
/** What a session takes besides what its client says about itself. */
export const sessionBytes = 1024
/** What every session hears of. */
const sessionFields: ReadonlySet<string> = new Set([
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
  'taskStatus',
])

/** What a question about new roots belongs to, in place of a request. */
const rootsEvent = { jsonrpc: '2.0', id: 0, method: 'notifications/roots/list_changed' } as const

/** One client on one channel. Both eras may be spoken on it, even at the same time. */
export class ServedConnection implements PeerDelegate, Outlet, ChangeSubscriber, ChangeListener {
  readonly #dispatcher: Dispatcher
  readonly #definition: Definition
  readonly #info: ConnectionInfo
  readonly #channel: Channel
  readonly #peer: Peer
  #listens: OpenSubscriptions | undefined
  /** Made with the first change. */
  #announcer: ChangeNotifier | undefined
  /** Whoever reads the stream for what belongs to no request, if its token is not that of the handshake. */
  #listener: CallerState | undefined
  #rootsNews: 'none' | 'handled' | 'more' = 'none'
  #session: CallerState | undefined
  /** What the session takes of the server's budget. */
  #kept: Hold | undefined
  /** True once the client said that the handshake is done: only then the server speaks up on its own. */
  #ready = false
  readonly #since = Date.now()
  #ended: Promise<McpError> | undefined
  #end: ((reason: McpError) => void) | undefined

  constructor(
    dispatcher: Dispatcher,
    channel: Channel,
    info: ConnectionInfo,
    limits: PeerOptions = dispatcher.peerOptions,
  ) {
    this.#dispatcher = dispatcher
    this.#definition = dispatcher.definition
    this.#info = info
    this.#channel = channel
    this.#peer = new Peer(channel, this, limits)
    if (isConnectionWatched('server')) watchConnection('server', this.#where, { since: this.#since })
    this.#peer.open()
  }

  /** Why it ended, once it has. Made for whoever asks: of ten thousand sessions nobody does. */
  get ended(): Promise<McpError> {
    this.#ended ??= new Promise((resolve) => {
      this.#end = resolve
    })
    return this.#ended
  }

  get askTimeoutMs(): number {
    return this.#definition.options.limits?.askTimeoutMs ?? defaultAskTimeoutMs
  }

  get listens(): OpenSubscriptions {
    this.#listens ??= new OpenSubscriptions(this.#definition.options.limits?.maxListens ?? defaultMaxListens)
    return this.#listens
  }

  get about(): ChannelInfo | undefined {
    return this.#channel.about
  }

  get client(): object {
    return this
  }

  /** Who is connected, once a handshake took place. Requests may come with tokens of their own: see `asCaller`. */
  get caller(): CallerState | undefined {
    return this.#session
  }

  /** Looks something up for a request that came with a token; its caller is undefined before the handshake. */
  async asCaller<T>(auth: AuthInfo | undefined, use: (caller: CallerState | undefined) => Promise<T>): Promise<T> {
    const caller = this.#session?.as(auth)
    try {
      return await use(caller)
    } finally {
      if (caller !== undefined && caller !== this.#session) this.#release(caller)
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
    if (this.#session === undefined) throw new McpError('unsupported', 'ping needs a client that sent initialize')
    await this.ask('ping', {}, {})
  }

  // PeerDelegate

  request(request: IncomingRequest): JsonObject | Promise<JsonObject> {
    const { method, params, sink } = request
    if (this.#definition.speaksAlone && isSelfContained(params))
      return this.#runAlone(request, callerOf(this.#definition, params!, this.#info, sink.auth ?? this.#info.auth))
    if (method === 'initialize') return isWatched('server.request') ? this.#watched(request) : this.#initialize(request)
    if (this.#session !== undefined) return this.#runIn(this.#session, request)
    if (method === 'ping' && this.#definition.handshakeRevisions.length > 0) return {}
    throw unopened(this.#definition, method)
  }

  notification(notification: Notification, sink: Sink): void {
    const { method, params = {} } = notification
    if (this.#session !== undefined) this.#definition.options.backend?.notified(notification, this)
    const codec = this.#session?.codec ?? this.#newestCodec()
    switch (method) {
      case 'notifications/initialized':
        if (this.#session === undefined) return
        this.#ready = true
        this.#definition.options.backend?.ready(this)
        return
      case 'notifications/cancelled': {
        const { requestId, reason } = codec.decodeParams(method, params)
        if (requestId !== undefined)
          this.#peer.cancelIncoming(requestId as RequestId, `The client cancelled: ${reason ?? 'no reason given'}`)
        return
      }
      case 'notifications/progress': {
        const progress = codec.decodeParams(method, params)
        this.#peer.progressed(progress.progressToken as RequestId, progress)
        return
      }
      case 'notifications/roots/list_changed':
        if (this.#session?.capabilities.roots !== undefined) void this.#rootsChanged(this.#session, sink.auth)
    }
  }

  abandoned(requestId: RequestId, _method: string, reason: McpError): void {
    this.notify('notifications/cancelled', { requestId, reason: reason.message })
  }

  toWireError(thrown: unknown, request: IncomingRequest): WireError {
    return toWireError(thrown, (cause) => this.#definition.report(cause, request.method))
  }

  protocolError(error: Error): void {
    this.#definition.report(error, 'connection')
  }

  /** Nobody asks any more: what stays open until it is asked to end would stay for ever. */
  draining(): void {
    void this.#endListens()
  }

  closed(reason: McpError): void {
    this.#definition.forget(this)
    this.#definition.options.backend?.closed(this, this.#info)
    this.#announcer?.stop()
    if (isConnectionWatched('server')) watchConnection('server', this.#where, { since: this.#since, reason })
    if (this.#session !== undefined) this.#release(this.#session)
    this.#kept?.release()
    this.#end?.(reason)
    this.#ended ??= Promise.resolve(reason)
  }

  batches(): boolean {
    return this.#session?.codec.batches ?? false
  }

  errorsWithoutId(): boolean {
    return (this.#session?.codec ?? this.#newestCodec()).errorsWithoutId
  }

  answersForeign(): boolean {
    return true
  }

  // Outlet

  notify(method: string, params?: JsonObject, about?: IncomingRequest): void | Promise<void> {
    return this.#peer.notify(method, params, about?.sink)
  }

  ask(method: string, params: JsonObject, wait: WaitOptions, about?: IncomingRequest): Promise<JsonObject> {
    if (!this.#ready && method !== 'ping') {
      const problem = `${method} has to wait until the client has sent notifications/initialized`
      return Promise.reject(new McpError('unsupported', problem))
    }
    const id = this.#peer.reserveId()
    const trace = readTraceContext(about?.params?._meta)
    const send = (sent: TraceContext | undefined): Promise<JsonObject> =>
      this.#peer.request(id, method, withTraceContext(params, sent), wait, about?.sink)
    return isWatched('server.ask') ? watchAsk({ id, method, params, trace }, this.#where, send) : send(trace)
  }

  // News

  changed(change: ServerChange): void {
    if (!this.#ready) return
    this.#announcer ??= this.#openAnnouncer()
    this.#announcer.changed(change)
  }

  /** A client with a session hears of all lists, and of the resources that it subscribed to. */
  wants(field: string): TopicSelection | undefined {
    return field === 'resourceSubscriptions' ? this.#session?.subscriptions : sessionFields.has(field) || undefined
  }

  /** Notifications that belong to no request are judged by the token of the stream that they go into. */
  get listener(): CallerState {
    const { auth } = this.#channel
    const known = this.#listener ?? this.#session!
    if (auth === undefined || auth === known.auth) return known
    if (this.#listener !== undefined) this.#release(this.#listener)
    this.#listener = this.#session!.as(auth)
    return this.#listener
  }

  tell(method: string, params: JsonObject): void | Promise<void> {
    return this.notify(method, this.#session!.codec.encodeParams(method, params))
  }

  // The rest

  #watched(request: IncomingRequest): Promise<JsonObject> {
    return watchServerRequest(request, this.#where, () => this.#initialize(request))
  }

  get #where(): Whereabouts {
    return serverWhereabouts(this.#info, this.#session, this.about)
  }

  #run(request: IncomingRequest, caller: CallerState): Soon<JsonObject> {
    return this.#dispatcher.answer(new Call(request, caller, this))
  }

  /** A request that brings its own token is answered for a caller of its own. */
  #runIn(session: CallerState, request: IncomingRequest): Soon<JsonObject> {
    const caller = session.as(request.sink.auth)
    return caller === session ? this.#run(request, session) : this.#runAlone(request, caller)
  }

  /** A caller that exists for one request takes what was made for it along. */
  #runAlone(request: IncomingRequest, caller: CallerState): Soon<JsonObject> {
    return this.#definition.makesContexts ? this.#runAndRelease(request, caller) : this.#run(request, caller)
  }

  async #runAndRelease(request: IncomingRequest, caller: CallerState): Promise<JsonObject> {
    try {
      return await this.#run(request, caller)
    } finally {
      this.#release(caller)
    }
  }

  #release(caller: CallerState): void {
    caller.dispose((error) => this.#definition.report(error, 'context'))
  }

  #initialize({ params: given, sink }: IncomingRequest): Soon<JsonObject> {
    const definition = this.#definition
    const newest = definition.handshakeRevisions.at(-1)
    if (newest === undefined) throw handshakeRefused(definition, given?.protocolVersion)
    if (this.#session !== undefined)
      throw new RpcError(ErrorCode.InvalidRequest, 'This connection is initialized already')
    const offered = definition.codec(given?.protocolVersion)
    // An offer that this server does not speak is answered with one that it does, not with an error.
    const codec = offered?.handshake ? offered : codecFor(newest)
    const params = codec.decodeParams('initialize', given)
    const { client, capabilities, bytes } = boundedIdentity(
      params.clientInfo as Implementation,
      // Who stands in for another server tells it all that the client declared, known to the revision or not.
      declaredCapabilities((definition.options.backend === undefined ? params : given!).capabilities as JsonObject),
      'initialize params',
    )
    this.#kept = definition.budget.need('sessions', sessionBytes + bytes)
    const logLevel = definition.logs ? defaultLogLevel : undefined
    const auth = sink.auth ?? this.#info.auth
    this.#session = new CallerState(codec, { client, capabilities, logLevel }, this.#info, auth)
    const { backend } = definition.options
    if (backend !== undefined) return this.#introduce(backend, this.#session)
    definition.onChange(this)
    return codec.encodeResult('initialize', {
      protocolVersion: codec.revision,
      capabilities: definition.capabilities({ known: isIdentified(this.#session) }),
      serverInfo: definition.info,
      ...(definition.instructions !== undefined && { instructions: definition.instructions }),
    })
  }

  async #introduce(backend: Backend, { codec }: CallerState): Promise<JsonObject> {
    try {
      const said = await backend.introduce(this.#session!, this)
      return codec.encodeResult('initialize', {
        serverInfo: this.#definition.info,
        ...said,
        protocolVersion: codec.revision,
      })
    } catch (error) {
      // Whoever could not be introduced may try again.
      this.#session = undefined
      this.#kept?.release()
      throw error
    }
  }

  #newestCodec(): Codec {
    return codecFor(this.#definition.revisions.at(-1)!)
  }

  /** One page of the specification ends them with a result, another with a notification: so both are sent. */
  async #endListens(): Promise<void> {
    for (const requestId of await this.listens.end()) {
      void this.notify('notifications/cancelled', { requestId, reason: 'The server ends the subscription' })
    }
  }

  #openAnnouncer(): ChangeNotifier {
    const announcer = new ChangeNotifier(this.#definition, this)
    announcer.open()
    return announcer
  }

  /** News that come while earlier news are handled are handled once, afterwards: a client cannot pile them up. */
  async #rootsChanged(session: CallerState, auth: AuthInfo | undefined): Promise<void> {
    const { onRootsChanged } = this.#definition.options
    if (onRootsChanged === undefined) return
    if (this.#rootsNews !== 'none') {
      this.#rootsNews = 'more'
      return
    }
    const event = new IncomingRequest(rootsEvent, this.#channel)
    const caller = session.as(auth)
    const ctx = new HandlerContext(undefined, new Call(event, caller, this))
    do {
      this.#rootsNews = 'handled'
      try {
        await onRootsChanged(() => ctx.roots(), caller)
      } catch (error) {
        this.#definition.report(error, 'onRootsChanged')
      }
    } while (this.#stillHasNews())
    this.#rootsNews = 'none'
  }

  #stillHasNews(): boolean {
    return this.#rootsNews === 'more'
  }
}
