import { ErrorCode, McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { backoffMs, pause } from '../internal/timers.ts'
import type { Channel, ChannelInfo, Receiver, RefusedInput } from '../jsonrpc/channel.ts'
import { isObject } from '../jsonrpc/classify.ts'
import type { JsonObject, Notification, Payload, Request, RequestId } from '../jsonrpc/message.ts'
import { urlAddress } from '../transport/url-address.ts'
import { writeJson } from '../transport/write-json.ts'
import { deliver } from './delivery.ts'
import type { ReplyHead } from './engines/engine.ts'
import { isHttpError, isTemporary, refusedError } from './http-error.ts'
import type { HeaderRecord, HttpClientLimits, StreamState } from './http-options.ts'
import type { HttpWire } from './http-wire.ts'
import { LearnedTools } from './learned-tools.ts'
import { errorIn, isModernError, PostedRequest, type PostOwner } from './posted-request.ts'
import { isRepeatable } from './repeatable.ts'
import { addMirrored, isRequestPayload, namedVersion, postHeaders, sessionHeaders } from './request-headers.ts'
import type { HttpSseStream } from './streams/http-sse.ts'
import { jsonOrNothing } from './streams/reply.ts'
import { ServerStream } from './streams/server-stream.ts'
import { remember, verdictFor } from './verdicts.ts'

interface HttpChannelOptions {
  limits: Required<HttpClientLimits>
  onStream?: (state: StreamState) => void
  warn: (message: string) => void
}

/** The statuses after which a server may be one of the HTTP+SSE transport. */
const oldestStatuses: ReadonlySet<number> = new Set([400, 404, 405, 406, 415])
/** Requests wait for it, but not forever. */
const maxInitializedAttempts = 5
const visibleAscii = /^[\x21-\x7e]{1,1024}$/

/**
 * Messages over HTTP, to a server of any revision: each is posted, and the replies are received. Streamable HTTP of
 * both eras, and the HTTP+SSE transport of 2024-11-05 if the server has no better answer to `initialize`.
 */
export class HttpChannel implements Channel, PostOwner {
  readonly streamPerRequest = true
  readonly wire: HttpWire
  readonly limits: Required<HttpClientLimits>
  readonly #options: HttpChannelOptions
  readonly #tools: LearnedTools
  readonly #asks = new Map<RequestId, PostedRequest>()
  readonly #stop = new AbortController()
  #receiver: Receiver | undefined
  #closing: Promise<void> | undefined
  /** The version in requests without a handshake. */
  #version: string | undefined
  /** The revision that the handshake agreed on. */
  #revision: string | undefined
  #session: string | undefined
  #stream: ServerStream | undefined
  /** Set for servers of the oldest transport: the stream, and the URL for messages. */
  #oldest: { stream: HttpSseStream; endpoint: URL } | undefined
  /** Set while `notifications/initialized` is sent: strict servers refuse requests that overtake it. */
  #settling: Promise<unknown> | undefined

  constructor(wire: HttpWire, options: HttpChannelOptions) {
    this.wire = wire
    this.limits = options.limits
    this.#options = options
    this.#tools = new LearnedTools(options.warn)
  }

  get about(): ChannelInfo {
    const transport = this.#oldest === undefined ? 'http' : 'http+sse'
    return { transport, ...urlAddress(this.wire.url), session: this.#session }
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#settling !== undefined) return this.#settling.then(() => this.#dispatch(payload))
    return this.#dispatch(payload)
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  #dispatch(payload: Payload): MaybePromise<void> {
    if (this.#closing !== undefined) throw new McpError('closed', 'The connection is closed')
    if (isRequestPayload(payload)) {
      this.#ask(payload)
      return
    }
    const method = methodOf(payload)
    if (method === 'notifications/cancelled') return this.#cancel(payload as Notification)
    if (method !== 'notifications/initialized') return this.#deliver(payload, method ?? 'An answer')
    const told = this.#tellInitialized(payload)
    const settling = told.then(() => this.#listen()).catch(() => {})
    this.#settling = settling
    settling.then(() => {
      this.#settling = undefined
    })
    return told
  }

  /** Without it the server asks nothing and this side hears nothing, so a refusal that may pass is not the end. */
  async #tellInitialized(payload: Payload): Promise<void> {
    const { reconnectMs, maxReconnectMs } = this.limits
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#deliver(payload, 'notifications/initialized')
      } catch (error) {
        const mayPass = isHttpError(error) && isTemporary(error.status)
        if (!mayPass || attempt === maxInitializedAttempts || this.#closing !== undefined) throw error
        await pause(backoffMs(attempt, reconnectMs, maxReconnectMs), this.#stop.signal)
      }
    }
  }

  // Requests

  #ask(request: Request): void {
    if (request.method === 'initialize') this.#forget()
    this.#version = namedVersion(request) ?? this.#version
    if (this.#oldest !== undefined) this.#askOldest(request, this.#oldest.endpoint)
    else if (request.method === 'initialize' && verdictFor(this.wire.url).eventStream === true) this.#tryOldest(request)
    else this.#post(request)
  }

  #post(request: Request): void {
    const ask = new PostedRequest(request, this)
    this.#asks.set(request.id, ask)
    ask.start()
  }

  /** A handshake begins a new conversation: probes for a newer revision, and an older session, are over. */
  #forget(): void {
    for (const ask of this.#asks.values()) ask.drop()
    this.#asks.clear()
    this.#version = undefined
    this.#revision = undefined
    this.#session = undefined
  }

  #cancel(notification: Notification): MaybePromise<void> {
    const id = notification.params?.requestId as RequestId
    const ask = this.#asks.get(id)
    const drop = (): void => {
      ask?.drop()
      this.#asks.delete(id)
    }
    if (this.withdraws(notification) !== undefined) {
      drop()
      return
    }
    return this.#deliver(notification, notification.method).finally(drop)
  }

  /** From 2026-07-28 on, closing the stream is the cancellation, and the notification is not sent over HTTP. */
  withdraws(payload: Payload): RequestId | undefined {
    if (this.#version === undefined || methodOf(payload) !== 'notifications/cancelled') return undefined
    return (payload as Notification).params?.requestId as RequestId | undefined
  }

  #deliver(payload: Payload, what: string): Promise<void> {
    const endpoint = this.#oldest?.endpoint
    return deliver(
      this.wire,
      {
        method: 'POST',
        headers: this.postHeaders(payload),
        body: writeJson(payload),
        repeatable: isRepeatable(payload),
        ...(endpoint && { url: endpoint }),
      },
      {
        what,
        timeoutMs: this.limits.acceptTimeoutMs,
        session: this.#session !== undefined,
        signal: this.#stop.signal,
      },
    )
  }

  // PostOwner

  postHeaders(payload: Payload): HeaderRecord {
    if (this.#version === undefined || Array.isArray(payload)) {
      return Object.assign(postHeaders(), sessionHeaders(this.#revision, this.#session))
    }
    const isCall = 'method' in payload && payload.method === 'tools/call'
    const params = isCall ? this.#tools.paramsOf(payload.params?.name) : []
    return addMirrored(postHeaders(), this.#version, payload, params)
  }

  streamHeaders(lastEventId: string | undefined): HeaderRecord {
    return {
      Accept: 'text/event-stream',
      ...sessionHeaders(this.#revision, this.#session),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    }
  }

  resumeHeaders(lastEventId: string): HeaderRecord | undefined {
    return this.#version === undefined ? this.streamHeaders(lastEventId) : undefined
  }

  accepted(request: Request, head: ReplyHead): void {
    if (request.method !== 'initialize') return
    const session = head.header('mcp-session-id')
    if (session === undefined) return
    if (visibleAscii.test(session)) this.#session = session
    else this.#options.warn('The server gave a session id with characters that are not allowed; it is not used')
  }

  answered(request: Request, answer: JsonObject): JsonObject {
    const { result } = answer
    if (!isObject(result)) return answer
    if (request.method === 'initialize' && typeof result.protocolVersion === 'string') {
      this.#revision = result.protocolVersion
    }
    // The annotations mean something only from 2026-07-28 on.
    if (request.method !== 'tools/list' || this.#version === undefined) return answer
    return { ...answer, result: this.#tools.learn(result) }
  }

  receive(value: unknown, during?: RequestId, text?: string): void {
    if (this.#closing === undefined) this.#receiver!.receive(value, undefined, during, text)
  }

  unreadable(problem: Error, input?: RefusedInput): void {
    if (this.#closing === undefined) {
      this.#receiver!.refuse({ code: ErrorCode.ParseError, message: problem.message, kind: 'response' }, input)
    }
  }

  refused(ask: PostedRequest, head: ReplyHead, body: string): void {
    const { request } = ask
    const answer = errorIn(jsonOrNothing(body, this.limits.maxDepth), request)
    // A server that read the params knows the session.
    const inSession = this.#session !== undefined && codeIn(answer) !== ErrorCode.InvalidParams
    const error = refusedError(request.method, head, messageIn(answer) ?? body, inSession, this.wire.url)
    if (request.method === 'initialize' && oldestStatuses.has(head.status) && !isModernError(head.status, answer)) {
      this.done(ask)
      this.#tryOldest(request, () => this.#refuse(request, error, answer))
    } else {
      this.done(ask)
      this.#refuse(request, error, answer)
    }
  }

  #refuse(request: Request, error: Error & { code: string }, answer: JsonObject | undefined): void {
    const isUnknownMethod = codeIn(answer) === ErrorCode.MethodNotFound
    if (answer !== undefined && (error.code === 'http' || isUnknownMethod)) this.receive(answer)
    else this.#failed(request.id, error)
  }

  delayed(ask: PostedRequest): void {
    if (this.#closing === undefined) this.#receiver!.delayed?.(ask.request.id)
  }

  failed(ask: PostedRequest, error: Error, input?: RefusedInput): void {
    this.done(ask)
    this.#failed(ask.request.id, error, input)
  }

  #failed(id: RequestId, error: Error, input?: RefusedInput): void {
    if (this.#closing === undefined) this.#receiver!.failed?.(id, error, input)
  }

  done(ask: PostedRequest): void {
    if (this.#asks.get(ask.request.id) === ask) this.#asks.delete(ask.request.id)
  }

  // The stream for messages that the server sends by itself

  #listen(): void {
    if (this.#oldest !== undefined || this.#closing !== undefined) return
    this.#stream = new ServerStream(this)
    this.#stream.open()
  }

  stream(state: StreamState): void {
    try {
      this.#options.onStream?.(state)
    } catch (error) {
      this.#options.warn(`onStream failed: ${String(error)}`)
    }
  }

  // The transport of 2024-11-05

  /** Tries the oldest transport with the first request; `otherwise` continues if the server does not have it. */
  async #tryOldest(request: Request, otherwise: () => void = () => this.#post(request)): Promise<void> {
    let stream: HttpSseStream | undefined
    try {
      // Loaded when needed: few servers are that old.
      const { HttpSseStream } = await import('./streams/http-sse.ts')
      if (this.#closing !== undefined) return
      stream = new HttpSseStream(this)
      this.#stop.signal.addEventListener('abort', () => stream!.close())
      const endpoint = await stream.open()
      if (this.#closing !== undefined) return
      this.#oldest = { stream, endpoint }
      remember(this.wire.url, { eventStream: true })
      this.#askOldest(request, endpoint)
    } catch (error) {
      if (verdictFor(this.wire.url).eventStream) remember(this.wire.url, { eventStream: false })
      // A server that demands credentials here, or names an endpoint, knows the path.
      if (stream?.named || (isHttpError(error) && error.code === 'unauthorized'))
        this.#failed(request.id, error as Error)
      else otherwise()
    }
  }

  #askOldest(request: Request, url: URL): void {
    const message = {
      method: 'POST' as const,
      url,
      headers: this.postHeaders(request),
      body: writeJson(request),
      repeatable: isRepeatable(request),
    }
    const plan = {
      what: request.method,
      timeoutMs: this.limits.acceptTimeoutMs,
      session: true,
      signal: this.#stop.signal,
    }
    deliver(this.wire, message, plan).catch((error: Error) => this.#failed(request.id, error))
  }

  lost(error: Error): void {
    if (this.#closing !== undefined) return
    this.#closing = this.#end(error)
  }

  // The end

  async #end(reason?: Error): Promise<void> {
    this.#stop.abort()
    this.#stream?.close()
    this.#oldest?.stream.close()
    for (const ask of this.#asks.values()) ask.drop()
    this.#asks.clear()
    this.#receiver?.closed(reason)
    if (this.#session !== undefined && this.#oldest === undefined) await this.#delete()
    this.wire.close()
  }

  /** Ends the session on the server. It may refuse, and it may be gone: neither matters. */
  async #delete(): Promise<void> {
    const headers = sessionHeaders(this.#revision, this.#session)
    const plan = {
      what: 'DELETE',
      timeoutMs: this.limits.closeTimeoutMs,
      session: true,
      signal: new AbortController().signal,
    }
    await deliver(this.wire, { method: 'DELETE', headers, repeatable: true }, plan).catch(() => {})
  }
}

const methodOf = (payload: Payload): string | undefined =>
  !Array.isArray(payload) && 'method' in payload ? payload.method : undefined

const codeIn = (answer: JsonObject | undefined): unknown => (isObject(answer?.error) ? answer.error.code : undefined)

const messageIn = (answer: JsonObject | undefined): string | undefined => {
  const message = isObject(answer?.error) ? answer.error.message : undefined
  return typeof message === 'string' ? message : undefined
}
