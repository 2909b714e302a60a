import { ErrorCode } from '../errors.ts'
import type { ReplyHeaders, ReplyStream } from '../http/request.ts'
import { isUsedUp } from '../internal/budget.ts'
import { afterThisTurn } from '../internal/event-loop.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { Sink } from '../jsonrpc/channel.ts'
import type { Message, Payload, RequestId, WireError } from '../jsonrpc/message.ts'
import type { Definition } from '../server/definition/definition.ts'
import { isUnavailable } from '../server/dispatch/wire-error.ts'
import type { Text } from '../transport/cached-text.ts'
import { isAnswer } from '../transport/is-answer.ts'
import { toText } from '../transport/to-json.ts'
import { memoryRefusal, refusal, refuseRequest, withRequestId } from './checks/refusal.ts'
import { scopeChallenge } from './checks/step-up.ts'
import type { HttpExchange } from './http-transport.ts'
import type { KeepAliveTarget, KeepAliveTimer } from './keep-alive.ts'
import type { ResponseMode } from './options.ts'
import { eventText, keepAliveText, streamHeaders } from './sse-format.ts'

/** A POST that stands alone. */
interface LonePost {
  readonly exchange: HttpExchange
  readonly definition: Definition
  readonly keepAlive: KeepAliveTimer
  readonly mode: ResponseMode
  /** Undefined for a batch. */
  readonly id: RequestId | undefined
  readonly method: string
  /** The status that goes with an error, where the revision ties one to it. */
  statusOf(code: number): number
}

/** Sends its messages into the reply, the answer last. */
interface ReplyWork {
  run(): MaybePromise<void>
  cancel(reason: string): void
}

/** Answers a POST that stands alone: as JSON if the answer comes first, as an event stream from the first notification on. */
export class ExchangeReply implements Sink, KeepAliveTarget {
  readonly #post: LonePost
  #stream: ReplyStream | undefined
  #work: ReplyWork | undefined
  #gone = false
  #done = false
  #watched = false
  #ticks = 0

  constructor(post: LonePost) {
    this.#post = post
  }

  run(work: ReplyWork): MaybePromise<void> {
    this.#work = work
    try {
      const done = work.run()
      if (done instanceof Promise) return this.#wait(done)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Most answers are there at once or within the turn, and need no listener for a client that leaves. */
  async #wait(done: Promise<void>): Promise<void> {
    afterThisTurn(() => this.#watch())
    try {
      await done
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#done = true
      if (this.#watched) this.#post.keepAlive.delete(this)
    }
  }

  #watch(): void {
    if (this.#done) return
    this.#watched = true
    this.#post.exchange.reply.onGone(() => this.#cancel())
    this.#post.keepAlive.add(this)
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#gone) return
    const json = toText(payload)
    const last = isAnswer(payload)
    if (this.#stream === undefined) {
      if (last) return this.#sendAll(payload, json)
      if (this.#post.mode === 'json') return
      this.#open()
    }
    const sending = this.#stream!.write(eventText(json))
    if (last) this.#stream!.end()
    return sending
  }

  sendKeepAlive(): void {
    if (this.#stream !== undefined) this.#stream.write(keepAliveText)
    // Long silence looks like a dead connection, unless there is a stream to send comments on.
    else if (this.#ticks++ > 0 && this.#post.mode !== 'json') this.#open()
  }

  stop(): void {
    if (this.#gone) return
    const { exchange, id } = this.#post
    this.#cancel()
    if (this.#stream !== undefined) this.#stream.end()
    else refuseRequest(exchange.reply, withRequestId(id, shuttingDown), exchange.headers)
  }

  #cancel(): void {
    this.#gone = true
    this.#work?.cancel('The client closed the connection')
  }

  #open(): void {
    const { reply, headers } = this.#post.exchange
    this.#stream = reply.stream({ ...streamHeaders, ...headers })
  }

  /** The answer came first, so it needs no stream: one of a single event is sent as the text that it is. */
  #sendAll(answer: Payload, json: Text): void {
    // A batch was done in part, so it has no status of its own.
    if (Array.isArray(answer)) this.#sendText(200, json)
    else this.#sendOne(answer, json)
  }

  #sendOne(answer: Message, json: Text): void {
    const { exchange } = this.#post
    const { reply, headers } = exchange
    const status = 'error' in answer ? this.#post.statusOf(answer.error.code) : 200
    if ('error' in answer && (isUsedUp(answer.error) || isUnavailable(answer.error)))
      refuseRequest(reply, memoryRefusal(answer.error, answer.id), headers)
    else if (status === 403)
      reply.send(status, { ...jsonHeaders, ...headers, ...scopeChallenge(answer, exchange) }, json)
    else this.#sendText(status, json)
  }

  #sendText(status: number, json: Text): void {
    const { reply, headers } = this.#post.exchange
    // An error with a status of its own cannot be in a stream.
    if (this.#post.mode === 'sse' && status === 200)
      reply.send(status, { ...streamHeaders, ...headers }, eventText(json))
    else reply.send(status, headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers }, json)
  }

  /** The answer could not be written, and the client must not be left waiting. */
  #fail(cause: unknown): void {
    const { id, method, definition } = this.#post
    if (id === undefined) throw cause
    const reported = definition.report(cause, method)
    const error: WireError = { code: ErrorCode.InternalError, message: `Internal error (id ${reported})` }
    this.send({ jsonrpc: '2.0', id, error })
  }
}

const shuttingDown = refusal(503, 'The server is shutting down')
const jsonHeaders: ReplyHeaders = { 'content-type': 'application/json' }
