import { ErrorCode, isMcpError, McpError } from '../errors.ts'
import type { SseEvent } from '../http/sse-parser.ts'
import { backoffMs } from '../internal/timers.ts'
import type { RefusedInput } from '../jsonrpc/channel.ts'
import { isObject } from '../jsonrpc/classify.ts'
import type { JsonObject, Request, RequestId } from '../jsonrpc/message.ts'
import { writeJson } from '../transport/write-json.ts'
import type { ReplyHead } from './engines/engine.ts'
import { HttpError } from './http-error.ts'
import type { HttpClientLimits } from './http-options.ts'
import type { Handle, HttpWire } from './http-wire.ts'
import { isRepeatable } from './repeatable.ts'
import { nextEventId } from './streams/event-id.ts'
import type { ReplyOutcome, ReplySink } from './streams/reply.ts'
import { retryPause } from './streams/retry-pause.ts'
import { isUnsent } from './unsent.ts'

/** The channel as its requests see it. */
export interface PostOwner {
  readonly wire: HttpWire
  readonly limits: Required<HttpClientLimits>
  postHeaders(request: Request): { [name: string]: string }
  /** The headers of a GET that continues a stream; undefined if streams cannot be resumed. */
  resumeHeaders(lastEventId: string): { [name: string]: string } | undefined
  accepted(request: Request, head: ReplyHead): void
  /** Called with the answer before it is delivered; returns the answer to deliver. */
  answered(request: Request, answer: JsonObject): JsonObject
  /** A message came on the stream of the request with this id. */
  receive(value: unknown, during: RequestId, text?: string): void
  unreadable(problem: Error, input?: RefusedInput): void
  refused(ask: PostedRequest, head: ReplyHead, body: string): void
  failed(ask: PostedRequest, error: Error, input?: RefusedInput): void
  /** It is not sent yet. */
  delayed(ask: PostedRequest): void
  /** Nothing more will come. */
  done(ask: PostedRequest): void
}

// Long enough for messages that a server sends after the answer by mistake, short enough not to collect open streams.
const lingerMs = 1_000
/** The attempts to resume a stream at a server that accepts no connection. */
const maxUnreached = 2

/** One request in flight: its POST, and the GETs that continue its stream when that breaks. */
export class PostedRequest implements ReplySink {
  readonly request: Request
  readonly #owner: PostOwner
  #handle: Handle | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #answered = false
  #dropped = false
  #lastEventId: string | undefined
  #retryMs: number | undefined
  /** Consecutive GETs that brought nothing. */
  #attempts = 0
  /** Those of them that reached no server. */
  #unreached = 0
  #resuming = false
  #streamed = false
  /** The fault of input that may have been the answer. */
  #problem: { error: Error; input: RefusedInput | undefined } | undefined

  constructor(request: Request, owner: PostOwner) {
    this.request = request
    this.#owner = owner
  }

  start(): void {
    const { request } = this
    this.#handle = this.#owner.wire.send(
      {
        method: 'POST',
        headers: this.#owner.postHeaders(request),
        body: writeJson(request),
        repeatable: isRepeatable(request),
      },
      this,
    )
  }

  /** Stops reading. In revisions without sessions this is how a request is cancelled. */
  drop(): void {
    this.#dropped = true
    clearTimeout(this.#timer)
    this.#handle?.drop()
  }

  // ReplySink

  accepted(head: ReplyHead, streamed: boolean): void {
    this.#streamed = streamed
    if (!this.#resuming) this.#owner.accepted(this.request, head)
    else if (!streamed) {
      this.#handle?.drop()
      this.#fail(new HttpError('http', 'The rest of a stream was asked for, and is not a stream', head))
    }
  }

  event({ id, retry }: SseEvent): boolean {
    if (retry !== undefined) this.#retryMs = retryPause(retry)
    this.#lastEventId = nextEventId(this.#lastEventId, id)
    // Without an id that can be sent back, the next attempt would bring the same again.
    if (id === '' || (id !== undefined && id === this.#lastEventId)) {
      this.#attempts = 0
      this.#unreached = 0
    }
    return false
  }

  value(value: unknown, text?: string): void {
    if (this.#dropped) return
    const seen = Array.isArray(value) ? value.map((item) => this.#look(item)) : this.#look(value)
    this.#owner.receive(seen, this.request.id, text)
    // The answer is here; streams that a server leaves open must not pile up.
    if (this.#answered && this.#streamed) this.#timer ??= setTimeout(() => this.#finishEarly(), lingerMs)
  }

  unreadable(error: Error, input?: RefusedInput): void {
    this.#problem = { error, input }
    if (this.#streamed) this.#owner.unreadable(error, input)
  }

  preparing(): void {
    if (!this.#dropped) this.#owner.delayed(this)
  }

  finished(outcome: ReplyOutcome): void {
    if (this.#dropped) return
    clearTimeout(this.#timer)
    if (this.#answered) this.#owner.done(this)
    else if (outcome.kind === 'refused' && !this.#resuming) this.#owner.refused(this, outcome.head, outcome.body)
    else if (this.#mayGoOn(outcome)) this.#resume()
    else this.#fail(this.#explain(outcome), outcome.kind === 'broken' ? outcome.input : this.#problem?.input)
  }

  /** Recognizes the answer among the messages before it. */
  #look(value: unknown): unknown {
    if (!isObject(value) || value.method !== undefined || value.jsonrpc !== '2.0') return value
    const { id } = this.request
    const isError = isObject(value.error)
    // Only one request was sent, so an error without a readable id can only be about that one.
    const isOurs = value.id === id || String(value.id) === String(id) || (isError && (value.id ?? null) === null)
    if (!isOurs || (!isError && value.result === undefined)) return value
    this.#answered = true
    return this.#owner.answered(this.request, value.id === id ? value : { ...value, id })
  }

  #finishEarly(): void {
    this.drop()
    this.#owner.done(this)
  }

  #mayGoOn(outcome: ReplyOutcome): boolean {
    const { limits } = this.#owner
    if (this.#lastEventId === undefined || this.#attempts >= limits.maxResumptions) return false
    if (this.#owner.resumeHeaders(this.#lastEventId) === undefined) return false
    if (outcome.kind === 'refused') return outcome.head.status >= 500 || outcome.head.status === 429
    // A server that is gone has most likely lost the call too; its caller should hear of that soon.
    if (outcome.kind === 'broken' && isUnsent(outcome.error) && ++this.#unreached >= maxUnreached) return false
    // When resuming, a failed connection counts as a broken stream.
    return (
      (outcome.kind === 'read' && outcome.streamed) ||
      (outcome.kind === 'broken' && (outcome.streamed || this.#resuming))
    )
  }

  #resume(): void {
    const { limits } = this.#owner
    this.#attempts += 1
    const pause = this.#retryMs ?? backoffMs(this.#attempts, limits.reconnectMs, limits.maxReconnectMs)
    this.#timer = setTimeout(() => this.#get(), pause)
  }

  #get(): void {
    this.#timer = undefined
    this.#resuming = true
    const headers = this.#owner.resumeHeaders(this.#lastEventId!)
    if (headers === undefined) this.#fail(new McpError('closed', `The session ended before ${this.request.method}`))
    else this.#handle = this.#owner.wire.send({ method: 'GET', headers, repeatable: true }, this)
  }

  #fail(error: Error, input?: RefusedInput): void {
    this.#dropped = true
    this.#owner.failed(this, error, input)
  }

  /** The error of a connection, which may have failed before or after the server got the request. */
  #mayHaveRun(error: Error): Error {
    const isHarmless = !isMcpError(error) || error.code !== 'closed' || isRepeatable(this.request) || isUnsent(error)
    if (isHarmless) return error
    return new McpError('closed', `${error.message}; ${this.request.method} may have run`, { cause: error })
  }

  #explain(outcome: ReplyOutcome): Error {
    const { method } = this.request
    if (outcome.kind === 'broken' && !outcome.streamed && !this.#resuming) return this.#mayHaveRun(outcome.error)
    if (outcome.kind === 'read' && outcome.empty) {
      return new HttpError('http', `${method} was answered with HTTP ${outcome.head.status} and no body`, outcome.head)
    }
    if (outcome.kind === 'read' && this.#problem !== undefined) return this.#problem.error
    if (outcome.kind === 'read' && !outcome.streamed) {
      return new McpError('invalid_result', `The reply to ${method} contains no answer to it`)
    }
    const why = outcome.kind === 'broken' ? `: ${outcome.error.message}` : ''
    const how = this.#resuming ? 'broke and could not be resumed' : 'ended before the answer'
    const cause = outcome.kind === 'broken' ? { cause: outcome.error } : undefined
    return new McpError('closed', `The stream with the answer to ${method} ${how}${why}; it may have run`, cause)
  }
}

/** A JSON-RPC error for a request that was refused over HTTP, if the body is one. */
export function errorIn(body: unknown, request: Request): JsonObject | undefined {
  if (!isObject(body) || body.jsonrpc !== '2.0' || !isObject(body.error)) return undefined
  const { id } = body
  const isOurs = id === undefined || id === null || String(id) === String(request.id)
  return isOurs && Number.isInteger(body.error.code) ? { ...body, id: request.id } : undefined
}

const modernCodes: ReadonlySet<unknown> = new Set([
  ErrorCode.HeaderMismatch,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.UnsupportedProtocolVersion,
])

/** Whether only a server that knows 2026-07-28 can send this error, and not one of the oldest transport. */
export const isModernError = (status: number, answer: JsonObject | undefined): boolean => {
  const code = (answer?.error as JsonObject | undefined)?.code
  return modernCodes.has(code) || (status === 404 && code === ErrorCode.MethodNotFound)
}
