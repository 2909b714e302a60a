import { ErrorCode, isRpcError } from '../../errors.ts'
import type { ReplyHeaders, ReplyStream } from '../../http/request.ts'
import { isUsedUp } from '../../internal/budget.ts'
import { afterThisTurn } from '../../internal/event-loop.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Sink } from '../../jsonrpc/channel.ts'
import type { Message, Payload, Request, WireError } from '../../jsonrpc/message.ts'
import type { ConnectionInfo } from '../../server/caller.ts'
import type { Dispatcher } from '../../server/dispatch/dispatcher.ts'
import { type CheckedRequest, StatelessExchange } from '../../server/stateless/exchange.ts'
import type { OpenSubscriptions } from '../../server/subscriptions/open-subscriptions.ts'
import type { Text } from '../../transport/cached-text.ts'
import { isAnswer } from '../../transport/is-answer.ts'
import { toText } from '../../transport/to-json.ts'
import { memoryRefusal, refusal, refuseRequest, withRequestId } from '../checks/refusal.ts'
import { scopeChallenge } from '../checks/step-up.ts'
import type { HttpExchange } from '../http-transport.ts'
import type { KeepAliveTarget, KeepAliveTimer } from '../keep-alive.ts'
import type { ResponseMode } from '../options.ts'
import { eventText, keepAliveText, streamHeaders } from '../sse-format.ts'
import { calledTool, checkArguments, checkHeaders, statusOf } from './stateless-checks.ts'

/** The parts of an endpoint that all stateless requests share. */
export interface StatelessContext {
  readonly dispatcher: Dispatcher
  readonly keepAlive: KeepAliveTimer
  readonly listens: OpenSubscriptions
}

interface StatelessPost {
  readonly context: StatelessContext
  readonly exchange: HttpExchange
  message: Request
  readonly mode: ResponseMode
  readonly info: ConnectionInfo
}

/** Answers one stateless request. Returns a promise if the answer is not complete yet. */
export function answerStateless(
  context: StatelessContext,
  exchange: HttpExchange,
  message: Request,
  mode: ResponseMode,
): MaybePromise<void> {
  const { request, auth } = exchange
  const info: ConnectionInfo = auth === undefined ? { transport: 'http' } : { transport: 'http', auth }
  const { definition } = context.dispatcher
  try {
    const checked = { meta: checkHeaders(message, request), tool: calledTool(definition, message) }
    const checking = checkArguments(definition, checked, message, request, info)
    const reply = new StatelessReply({ context, exchange, message, mode, info })
    if (checking === undefined) return reply.run(checked)
    return checking.then(() => reply.run(checked)).catch((error: unknown) => refuseWith(error, exchange, message))
  } catch (error) {
    refuseWith(error, exchange, message)
  }
}

function refuseWith(error: unknown, exchange: HttpExchange, message: Request): void {
  if (!isRpcError(error)) throw error
  const status = statusOf(error.code) === 404 ? 404 : 400
  refuseRequest(exchange.reply, { status, error: error.toWire(), id: message.id }, exchange.headers)
}

/** As JSON if the answer comes first, as an event stream from the first notification on. */
class StatelessReply implements Sink, KeepAliveTarget {
  readonly #post: StatelessPost
  #stream: ReplyStream | undefined
  #running: StatelessExchange | undefined
  #gone = false
  #done = false
  #watched = false
  #ticks = 0

  constructor(post: StatelessPost) {
    this.#post = post
  }

  /** Throws, before anything else happens, if the request does not describe its caller. */
  run(checked: CheckedRequest): MaybePromise<void> {
    const { context, message, info } = this.#post
    const running = new StatelessExchange(context.dispatcher, message, this, info, context.listens, checked)
    this.#running = running
    // It stays open for as long as the client likes, and its filter is as large as the client likes.
    if (message.method === 'subscriptions/listen') this.#post.message = { ...message, params: {} }
    try {
      const done = running.run()
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
      if (this.#watched) this.#post.context.keepAlive.delete(this)
    }
  }

  #watch(): void {
    if (this.#done) return
    this.#watched = true
    this.#post.exchange.reply.onGone(() => this.#cancel())
    this.#post.context.keepAlive.add(this)
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#gone) return
    const json = toText(payload)
    const last = isAnswer(payload)
    if (this.#stream === undefined) {
      if (last) return this.#sendAll(payload as Message, json)
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
    const { exchange, message } = this.#post
    this.#cancel()
    if (this.#stream !== undefined) this.#stream.end()
    else refuseRequest(exchange.reply, withRequestId(message.id, shuttingDown), exchange.headers)
  }

  #cancel(): void {
    this.#gone = true
    this.#running?.cancel('The client closed the connection')
  }

  #open(): void {
    const { reply, headers } = this.#post.exchange
    this.#stream = reply.stream({ ...streamHeaders, ...headers })
  }

  /** The answer came first, so it needs no stream: one of a single event is sent as the text that it is. */
  #sendAll(answer: Message, json: Text): void {
    const { exchange, mode } = this.#post
    const { reply, headers } = exchange
    const status = statusOfAnswer(answer)
    // An error with a status of its own cannot be in a stream.
    if ('error' in answer && isUsedUp(answer.error))
      refuseRequest(reply, memoryRefusal(answer.error, answer.id), headers)
    else if (mode === 'sse' && status === 200) reply.send(status, { ...streamHeaders, ...headers }, eventText(json))
    else if (status === 403) {
      reply.send(status, { ...jsonHeaders, ...headers, ...scopeChallenge(answer, exchange) }, json)
    } else reply.send(status, headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers }, json)
  }

  /** The answer could not be written, and the client must not be left waiting. */
  #fail(cause: unknown): void {
    const { context, message } = this.#post
    const id = context.dispatcher.definition.report(cause, message.method)
    const error: WireError = { code: ErrorCode.InternalError, message: `Internal error (id ${id})` }
    this.send({ jsonrpc: '2.0', id: message.id, error })
  }
}

const shuttingDown = refusal(503, 'The server is shutting down')
const jsonHeaders: ReplyHeaders = { 'content-type': 'application/json' }

const statusOfAnswer = (answer: Message): number => ('error' in answer ? statusOf(answer.error.code) : 200)
