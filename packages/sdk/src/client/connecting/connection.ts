import { ErrorCode, type McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject, Notification, Payload, RequestId, WireError } from '../../jsonrpc/message.ts'
import { Peer } from '../../jsonrpc/peer.ts'
import type { PeerDelegate } from '../../jsonrpc/peer-options.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import type { Whereabouts } from '../../telemetry/events.ts'
import type { TraceContext } from '../../telemetry/trace-context.ts'
import { isConnectionWatched, isWatched, watchConnection } from '../../telemetry/watch.ts'
import type { Codec } from '../../wire/codec.ts'
import { encodeRequestParams } from '../calls/request-params.ts'
import { clientWhereabouts, observeRequest } from '../calls/request-telemetry.ts'
import { waitOptions } from '../calls/wait-options.ts'
import { clientConversationFor } from '../choose-conversation.ts'
import type { ClientConversation, ConversationConnection } from '../conversation.ts'
import { isOwnRpcError } from '../input/answer-errors.ts'
import { type ClientSettings, toError } from '../options.ts'
import type { CallOptions, ServerDescription } from '../types.ts'
import type { ClientDescription } from './client-description.ts'
import { withOutgoingFilter } from './outgoing-filter.ts'
import { ProgressReports } from './progress-reports.ts'

/** The owner of a connection handles its messages and its end. */
export interface ConnectionOwner {
  readonly settings: ClientSettings
  readonly description: ClientDescription
  request(request: IncomingRequest, connection: ClientConnection): MaybePromise<JsonObject>
  notification(notification: Notification, connection: ClientConnection): void
  lost(connection: ClientConnection, reason: McpError): void
}

/** Options of a request whose sender needs its id. */
export interface SendOptions extends CallOptions {
  onSent?: (id: RequestId, connection: ClientConnection) => void
  /** Declares tasks in the envelope of the request. */
  usesTasks?: boolean
  /** The sender in the envelope, if it is not the owner of the connection. */
  description?: ClientDescription
}

/** The codec of a revision and the client capabilities that the server knows. */
export interface Terms {
  codec: Codec
  declared: ClientCapabilities
}

interface Agreement extends Terms {
  server: ServerDescription
  /** The terms that this client offered: a server may agree on older ones. */
  offered: Terms
}

/** One channel to a server, from its opening to its end, with the agreed terms. */
export class ClientConnection implements PeerDelegate, ConversationConnection {
  readonly peer: Peer
  readonly progress: ProgressReports
  readonly #owner: ConnectionOwner
  readonly #channel: Channel
  readonly #negotiated: Promise<void>
  #settleNegotiation: () => void = () => {}
  /** When the revision was agreed on. */
  #since = 0
  #agreed: Agreement | undefined
  #closed: McpError | undefined
  #ending: AbortController | undefined
  #stray: Error | undefined
  /** The codec that is being tried, until one is agreed on. */
  codec: Codec
  /** The conversation of its revision. */
  conversation: ClientConversation

  constructor(channel: Channel, owner: ConnectionOwner, firstCodec: Codec) {
    this.#owner = owner
    this.#channel = channel
    this.codec = firstCodec
    this.conversation = clientConversationFor(firstCodec.revision)
    this.#negotiated = new Promise((resolve) => {
      this.#settleNegotiation = resolve
    })
    const maySend = (payload: Payload): boolean => this.#agreed === undefined || this.conversation.maySend(payload)
    this.peer = new Peer(withOutgoingFilter(channel, maySend), this, owner.settings.peer)
    this.progress = new ProgressReports(this.peer, owner.settings.report)
  }

  /** The server's description of itself; only after the negotiation. */
  get server(): ServerDescription {
    return this.#agreed!.server
  }

  /** Resolves with the first output of a server that is being started; undefined if it runs already. */
  get firstSign(): Promise<void> | undefined {
    return this.#channel.firstSign
  }

  /** Whether every request has a stream of its own, as over HTTP. */
  get streamPerRequest(): boolean {
    return this.#channel.streamPerRequest === true
  }

  /** The first protocol error before the agreement: often the reason why there is none. */
  get stray(): Error | undefined {
    return this.#stray
  }

  get ended(): McpError | undefined {
    return this.#closed
  }

  /** Fires with the reason when the connection ends. Made when first read: few calls need it. */
  get ending(): AbortSignal {
    this.#ending ??= new AbortController()
    if (this.#closed !== undefined) this.#ending.abort(this.#closed)
    return this.#ending.signal
  }

  /** The agreed terms. */
  get terms(): Terms {
    return this.#agreed!
  }

  /**
   * The terms for reading a request of the server. One that the revision lacks is read as it was offered: servers that
   * fall back to an older revision still send requests that the client declared with a newer one.
   */
  termsOf(method: string): Terms | undefined {
    const agreed = this.#agreed!
    return [agreed, agreed.offered].find(({ codec }) => codec.requests.server.has(method))
  }

  /** Tries a revision, or goes back to one. */
  speak(codec: Codec): void {
    this.codec = codec
    this.conversation = clientConversationFor(codec.revision)
  }

  agree({ codec, declared }: Terms, server: ServerDescription, offered: Terms): void {
    this.speak(codec)
    this.#agreed = { codec, server, declared, offered }
    this.#since = Date.now()
    if (isConnectionWatched('client')) watchConnection('client', this.where, { since: this.#since })
    this.#settleNegotiation()
  }

  /** The peer and the transport, for telemetry. */
  get where(): Whereabouts {
    return clientWhereabouts(this.codec, this.#agreed?.server, this.#channel.about)
  }

  /** Sends a request once and returns its result, or the input requests in its place, in terms of the model. */
  async call(method: string, params: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
    const result = await this.ask(method, params, options)
    return this.codec.decodeResult(method, result, params)
  }

  /** The same, with the result as it arrived. */
  ask(method: string, params: JsonObject, options: SendOptions = {}): Promise<JsonObject> {
    const id = this.peer.reserveId()
    if (isWatched('client.request')) return this.#watched(id, method, params, options)
    return this.#ask(id, method, params, options)
  }

  #watched(id: RequestId, method: string, params: JsonObject, options: SendOptions): Promise<JsonObject> {
    return observeRequest(id, method, params, this.where, async (trace) =>
      this.#ask(id, method, params, options, trace),
    )
  }

  #ask(
    id: RequestId,
    method: string,
    params: JsonObject,
    options: SendOptions,
    trace?: TraceContext,
  ): Promise<JsonObject> {
    const { codec, peer } = this
    const usesTasks = options.usesTasks === true || isTaskMethod(method)
    const description = options.description ?? this.#owner.description
    const envelope = this.conversation.envelope(description, codec, usesTasks)
    const body = encodeRequestParams(codec, method, params, id, options, envelope, trace)
    options.onSent?.(id, this)
    const answer = peer.request(id, method, orNothing(body), waitOptions(options, this.#owner.settings.report))
    if (options.onProgress !== undefined) this.progress.expect(id, answer)
    return answer
  }

  /** Sends `subscriptions/listen`, which is answered when the server ends it; until then only the signal ends it. */
  async listen(id: RequestId, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { codec, peer } = this
    const method = 'subscriptions/listen'
    const envelope = this.conversation.envelope(this.#owner.description, codec, false)
    const body = encodeRequestParams(codec, method, params, id, {}, envelope)
    return codec.decodeResult(method, await peer.request(id, method, body, { signal, standing: true }), params)
  }

  notify(method: string, params: JsonObject = {}): MaybePromise<void> {
    return this.peer.notify(method, orNothing(this.codec.encodeParams(method, params)))
  }

  // PeerDelegate

  request(request: IncomingRequest): MaybePromise<JsonObject> {
    if (this.#agreed !== undefined) return this.#answer(request)
    if (request.method === 'ping') return {}
    // A hasty server: its request can be read once the revision is known.
    return this.#negotiated.then(() => this.#answer(request))
  }

  /** People take their time: a server that waits for their answer is not silent. */
  #answer(request: IncomingRequest): MaybePromise<JsonObject> {
    const answer = this.#owner.request(request, this)
    return answer instanceof Promise ? this.peer.holding(answer) : answer
  }

  notification(notification: Notification): void {
    this.#owner.notification(notification, this)
  }

  abandoned(id: RequestId, method: string, reason: McpError): void {
    // Neither the handshake nor the probe for it may be cancelled.
    if (this.#agreed === undefined || method === 'initialize') return
    const why = reason.cause === undefined ? reason.message : `${reason.message}: ${describeAbort(reason.cause)}`
    this.notify('notifications/cancelled', { requestId: id, reason: why })
  }

  toWireError(thrown: unknown, request: IncomingRequest): WireError {
    if (isOwnRpcError(thrown)) return thrown.toWire()
    if (!request.cancelled) this.protocolError(toError(thrown))
    return { code: ErrorCode.InternalError, message: 'Internal error' }
  }

  protocolError(error: Error): void {
    if (this.#agreed === undefined) this.#stray ??= error
    this.#owner.settings.report(error)
  }

  closed(reason: McpError): void {
    this.#closed = reason
    if (this.#agreed !== undefined && isConnectionWatched('client'))
      watchConnection('client', this.where, { since: this.#since, reason })
    this.#ending?.abort(reason)
    this.#settleNegotiation()
    this.#owner.lost(this, reason)
  }

  batches(): boolean {
    return this.#agreed?.codec.batches ?? false
  }

  errorsWithoutId(): boolean {
    // Output that a server prints by mistake gets no error.
    return false
  }

  /** Log lines that happen to be JSON get none either. */
  answersForeign(): boolean {
    return false
  }
}

/** Requests with these methods declare tasks in their envelope. */
const isTaskMethod = (method: string): boolean => method.startsWith('tasks/')

const orNothing = (params: JsonObject): JsonObject | undefined =>
  Object.keys(params).length === 0 ? undefined : params

const describeAbort = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
