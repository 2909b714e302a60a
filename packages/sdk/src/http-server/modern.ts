import { afterThisTurn } from '../afterwards.ts'
import { isUsedUp } from '../budget.ts'
import { ErrorCode, isRpcError } from '../errors.ts'
import type { Message, Payload, Request, WireError } from '../jsonrpc/message.ts'
import type { ConnectionInfo } from '../server/caller.ts'
import type { Dispatcher } from '../server/dispatch/dispatcher.ts'
import { StatelessExchange } from '../server/stateless/exchange.ts'
import type { OpenSubscriptions } from '../server/subscriptions/open-subscriptions.ts'
import type { Soon } from '../soon.ts'
import type { Sink } from '../transport/channel.ts'
import { isAnswer } from '../transport/is-answer.ts'
import type { Text } from '../transport/kept-text.ts'
import { toText } from '../transport/to-json.ts'
import { checkParams, modernChecks, statusOf } from './modern-checks.ts'
import type { ResponseMode, Settings } from './options.ts'
import type { Beating, Pulse } from './pulse.ts'
import { about, refusal, refuse, usedUp } from './refusal.ts'
import type { HttpReply, HttpRequest, ReplyHeaders, ReplyStream } from './request.ts'
import { eventText, keepAliveText, streamHeaders } from './sse-text.ts'
import { challengeFor } from './step-up.ts'

export interface ModernPost {
  dispatcher: Dispatcher
  message: Request
  request: HttpRequest
  reply: HttpReply
  mode: ResponseMode
  headers: ReplyHeaders | undefined
  info: ConnectionInfo
  settings: Settings
  pulse: Pulse
  listens: OpenSubscriptions
}

/** Answers one self-contained request. Returns a promise if the answer is not out yet, and somebody waits for it. */
export function answerModern(post: ModernPost): Soon<void> {
  const { dispatcher, message, request, info } = post
  try {
    for (const check of modernChecks) check(message, request)
    const checking = checkParams(dispatcher.definition, message, request, info)
    return checking === undefined ? new ModernReply(post).run() : answerChecked(post, checking)
  } catch (error) {
    refuseWith(error, post)
  }
}

async function answerChecked(post: ModernPost, checking: Promise<void>): Promise<void> {
  try {
    await checking
    await new ModernReply(post).run()
  } catch (error) {
    refuseWith(error, post)
  }
}

function refuseWith(error: unknown, { reply, headers, message }: ModernPost): void {
  if (!isRpcError(error)) throw error
  const status = statusOf(error.code) === 404 ? 404 : 400
  refuse(reply, { status, error: error.toWire(), id: message.id }, headers)
}

/** As JSON if the answer comes first, as an event stream from the first notification on. */
class ModernReply implements Sink, Beating {
  readonly #post: ModernPost
  #stream: ReplyStream | undefined
  #exchange: StatelessExchange | undefined
  #gone = false
  #done = false
  #watched = false
  #beats = 0

  constructor(post: ModernPost) {
    this.#post = post
  }

  /** Throws, before anything else happens, if the request does not say for itself who is asking. */
  run(): Soon<void> {
    const { dispatcher, message, info, listens } = this.#post
    const running = new StatelessExchange(dispatcher, message, this, info, listens)
    this.#exchange = running
    // It stays open for as long as the client likes, and what it asks for is as large as the client likes.
    if (message.method === 'subscriptions/listen') this.#post.message = { ...message, params: {} }
    try {
      const done = running.run()
      if (done instanceof Promise) return this.#wait(done)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Most answers are there at once or within the turn, and need nobody who watches whether the client leaves. */
  async #wait(done: Promise<void>): Promise<void> {
    afterThisTurn(() => this.#watch())
    try {
      await done
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#done = true
      if (this.#watched) this.#post.pulse.delete(this)
    }
  }

  #watch(): void {
    if (this.#done) return
    this.#watched = true
    this.#post.reply.onGone(() => this.#cancel())
    this.#post.pulse.add(this)
  }

  send(payload: Payload): void | Promise<void> {
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

  beat(): void {
    if (this.#stream !== undefined) this.#stream.write(keepAliveText)
    // Long silence looks like a dead connection, unless there is a stream to send comments on.
    else if (this.#beats++ > 0 && this.#post.mode !== 'json') this.#open()
  }

  stop(): void {
    if (this.#gone) return
    const { reply, headers, message } = this.#post
    this.#cancel()
    if (this.#stream !== undefined) this.#stream.end()
    else refuse(reply, about(message.id, refusal(503, 'The server is shutting down')), headers)
  }

  #cancel(): void {
    this.#gone = true
    this.#exchange?.cancel('The client closed the connection')
  }

  #open(): void {
    this.#stream = this.#post.reply.stream({ ...streamHeaders, ...this.#post.headers })
  }

  /** The answer came first, so it needs no stream: one of a single event is sent as the text that it is. */
  #sendAll(answer: Message, json: Text): void {
    const { reply, headers, mode } = this.#post
    const status = statusOfAnswer(answer)
    // An error with a status of its own cannot be in a stream.
    if ('error' in answer && isUsedUp(answer.error)) refuse(reply, usedUp(answer.error, answer.id), headers)
    else if (mode === 'sse' && status === 200) reply.send(status, { ...streamHeaders, ...headers }, eventText(json))
    else if (status === 403) {
      reply.send(status, { ...jsonHeaders, ...headers, ...this.#challenge(answer) }, json)
    } else reply.send(status, headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers }, json)
  }

  #challenge(answer: Message): ReplyHeaders | undefined {
    const { request, settings, info } = this.#post
    return challengeFor(answer, { request, settings, auth: info.auth })
  }

  /** The answer could not be written, which must not leave anybody waiting. */
  #fail(cause: unknown): void {
    const { dispatcher, message } = this.#post
    const id = dispatcher.definition.report(cause, message.method)
    const error: WireError = { code: ErrorCode.InternalError, message: `Internal error (id ${id})` }
    this.send({ jsonrpc: '2.0', id: message.id, error })
  }
}

const jsonHeaders: ReplyHeaders = { 'content-type': 'application/json' }

const statusOfAnswer = (answer: Message): number => ('error' in answer ? statusOf(answer.error.code) : 200)
