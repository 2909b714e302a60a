import { ErrorCode, type McpError } from '../../errors.ts'
import type { ReplyHeaders } from '../../http/request.ts'
import { afterThisTurn } from '../../internal/event-loop.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { MessageSink } from '../../jsonrpc/channel.ts'
import type { Message, Payload } from '../../jsonrpc/message.ts'
import { Deadline, removeDeadline, tickIn, watch } from '../../jsonrpc/timer-wheel.ts'
import type { AuthInfo } from '../../server/caller.ts'
import type { Text } from '../../transport/cached-text.ts'
import { isAnswer } from '../../transport/is-answer.ts'
import { toText } from '../../transport/to-json.ts'
import { refusal, refuseRequest } from '../checks/refusal.ts'
import { scopeChallenge } from '../checks/step-up.ts'
import type { HttpExchange } from '../http-transport.ts'
import type { KeepAliveTarget, KeepAliveTimer } from '../keep-alive.ts'
import type { ResponseMode } from '../options.ts'
import { eventText, streamHeaders } from '../sse-format.ts'
import type { EventStream } from './event-stream.ts'
import type { HttpSession } from './http-session.ts'

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/**
 * Answers one POST of a session: as JSON if the answer comes first, as an event stream from the first other message
 * on. That stream is one of the session's, so it goes on without its connection.
 */
export class SessionReply extends Deadline implements MessageSink, KeepAliveTarget {
  readonly #session: HttpSession
  readonly #exchange: HttpExchange
  readonly #mode: ResponseMode
  readonly #keepAlive: KeepAliveTimer
  #stream: EventStream | undefined
  /** True once the answer is on its way: it needs no stream any more, even if it has to be kept first. */
  #answered = false
  #ticks = 0
  #finished = false
  #failure: { readonly error: unknown } | undefined
  #gone = false
  /** Settled when nothing more will be sent; undefined until it turns out that this takes time. */
  #waiting: Waiting | undefined

  constructor(session: HttpSession, exchange: HttpExchange, mode: ResponseMode, keepAlive: KeepAliveTimer) {
    super()
    this.#session = session
    this.#exchange = exchange
    this.#mode = mode
    this.#keepAlive = keepAlive
  }

  get auth(): AuthInfo | undefined {
    return this.#exchange.auth
  }

  get #pollAfterMs(): number | undefined {
    return this.#exchange.settings.pollAfterMs
  }

  /** Hands in the posted message or batch. Returns a promise if it is not answered when that is done. */
  run(value: unknown): MaybePromise<void> {
    this.#session.receive(value, this.#exchange.auth, this)
    if (!this.#finished) return this.#wait()
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Most answers are there at once or within the turn: nobody can leave before that, and no stream has to be open. */
  #wait(): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
    afterThisTurn(() => this.#watch())
    return done
  }

  #watch(): void {
    if (this.#finished) return
    this.#keepAlive.add(this)
    this.#exchange.reply.onGone(() => {
      this.#gone = true
    })
    if (this.#pollAfterMs !== undefined && this.#mode !== 'json' && this.#session.polls) this.#watchSilence()
    if (this.#mode === 'sse') this.#open()
  }

  send(payload: Payload): MaybePromise<void> {
    const answer = isAnswer(payload)
    // A client that left before the first event has no id to resume from.
    const streams = this.#mode !== 'json' && (this.#stream !== undefined || !this.#gone)
    if (!answer && !streams) return this.#sendElsewhere(payload as Message)
    const json = toText(payload)
    if (this.#finished) return
    if (this.#waiting !== undefined && this.#pollAfterMs !== undefined) this.expiresAt = tickIn(this.#pollAfterMs)
    if (answer) return this.#answer(payload, json)
    this.#open('message')
    return this.#stream?.push(json)
  }

  /** Nothing has to stay open for a request that gets no answer. */
  unanswered(reason?: McpError): void {
    if (this.#finished) return
    try {
      if (this.#stream === undefined && !this.#gone) this.#endEmpty(reason)
      this.#finish()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Long silence before the answer looks like a dead connection, unless there is a stream to send comments on. */
  sendKeepAlive(): void {
    if (this.#ticks++ > 0 && this.#mode === 'auto') this.#open()
  }

  expire(): void {
    if (this.#finished) return
    this.#open()
    this.#stream?.pause()
    this.#watchSilence()
  }

  #watchSilence(): void {
    this.expiresAt = tickIn(this.#pollAfterMs!)
    watch(this)
  }

  /** A client without a stream here still gets the questions, where it listens for them. */
  #sendElsewhere(message: Message): MaybePromise<void> {
    if ('id' in message) return this.#session.send(message)
  }

  /** Opens the stream, unless it is open, or nobody will read it. */
  #open(follows: 'message' | 'silence' = 'silence'): void {
    if (this.#stream !== undefined || this.#answered || this.#gone) return
    this.#stream = this.#session.newStream(this.#exchange.auth)
    try {
      this.#stream.openNew(this.#exchange.reply, this.#exchange.headers, follows)
    } catch (error) {
      // Timers open streams too, and an exception there would end the process.
      this.#fail(error)
    }
  }

  /** Sends the answer, which is the last that is sent here, whether that works or not. */
  #answer(payload: Payload, json: Text): MaybePromise<void> {
    if (this.#answered) return
    this.#answered = true
    try {
      if (this.#stream === undefined) return this.#sendAll(payload, json)
      const sending = this.#stream.push(json)
      this.#finish()
      return sending
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Everything is answered, and nothing was sent before. */
  #sendAll(payload: Payload, json: Text): MaybePromise<void> {
    // A batch was done in part, so it has no status of its own.
    const challenge = Array.isArray(payload) ? undefined : scopeChallenge(payload, this.#exchange)
    if (this.#mode === 'sse' && challenge === undefined) return this.#sendStream(json)
    this.#sendJson(json, challenge)
  }

  /** A stream of one event can be resumed like any other, but is sent as one text. */
  #sendStream(json: Text): MaybePromise<void> {
    const text = this.#session.wholeStream(json, this.#exchange.auth)
    if (!(text instanceof Promise)) return this.#sendText(text)
    // An event that cannot be kept can still be sent.
    const unkept = (error: unknown): never => {
      this.#sendText(eventText(json))
      throw error
    }
    return text.then((kept) => this.#sendText(kept), unkept)
  }

  #sendText(text: Text): void {
    const { headers } = this.#exchange
    this.#sendReply(200, headers === undefined ? streamHeaders : { ...streamHeaders, ...headers }, text)
  }

  #sendJson(json: Text, challenge: ReplyHeaders | undefined): void {
    const { headers } = this.#exchange
    const status = challenge === undefined ? 200 : 403
    const all =
      headers === undefined && challenge === undefined ? jsonHeaders : { ...jsonHeaders, ...headers, ...challenge }
    this.#sendReply(status, all, json)
  }

  #sendReply(status: number, headers: ReplyHeaders, body: Text): void {
    try {
      if (!this.#gone) this.#exchange.reply.send(status, headers, body)
      this.#finish()
    } catch (error) {
      this.#fail(error)
    }
  }

  #endEmpty(reason: McpError | undefined): void {
    const { reply, headers } = this.#exchange
    if (reason === undefined) reply.send(202, { ...headers })
    else if (reason.code === 'closed') refuseRequest(reply, refusal(404, 'The session has ended'), headers)
    else if (this.#mode === 'json')
      refuseRequest(reply, refusal(200, 'The request was cancelled', ErrorCode.InvalidRequest), headers)
    else reply.stream({ ...streamHeaders, ...headers }).end()
  }

  #finish(): void {
    if (this.#finished) return
    this.#finished = true
    if (this.#stream !== undefined) {
      this.#stream.end()
      this.#session.release(this.#stream)
    }
    if (this.#waiting === undefined) return
    removeDeadline(this)
    this.#keepAlive.delete(this)
    if (this.#failure === undefined) this.#waiting.resolve()
    else this.#waiting.reject(this.#failure.error)
  }

  /** Nothing can be sent here: the endpoint gets the error. */
  #fail(error: unknown): void {
    if (this.#finished) return
    this.#failure = { error }
    this.#finish()
  }
}

const jsonHeaders: ReplyHeaders = { 'content-type': 'application/json' }
