import { ErrorCode } from '../errors.ts'
import type { Message, Payload, RequestId } from '../jsonrpc/message.ts'
import { Deadline, tickIn, unwatch, watch } from '../jsonrpc/wheel.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { Soon } from '../soon.ts'
import type { Sink } from '../transport/channel.ts'
import { isAnswer } from '../transport/is-answer.ts'
import type { Text } from '../transport/kept-text.ts'
import { toText } from '../transport/to-json.ts'
import type { EventStream } from './event-stream.ts'
import type { ResponseMode } from './options.ts'
import type { Beating, Pulse } from './pulse.ts'
import { refusal, refuse } from './refusal.ts'
import type { HttpReply, ReplyHeaders } from './request.ts'
import type { Session } from './session.ts'
import { eventText, streamHeaders } from './sse-text.ts'
import { challengeFor, type StepUp } from './step-up.ts'

export interface PostStreamOptions extends StepUp {
  reply: HttpReply
  mode: ResponseMode
  headers: ReplyHeaders | undefined
  /** The requests that were sent, and whether as a batch. */
  ids: RequestId[]
  batch: boolean
  pulse: Pulse
  pollAfterMs: number | undefined
}

/**
 * Answers one POST of a session: as JSON if the answer comes first, as an event stream from the first other message
 * on. That stream is one of the session's, so it goes on without its connection.
 */
export class PostStream extends Deadline implements Sink, Beating {
  readonly #session: Session
  readonly #options: PostStreamOptions
  readonly #waiting: RequestId[]
  readonly #answers: Message[] = []
  #stream: EventStream | undefined
  #beats = 0
  #finished = false
  #gone = false
  /** Called when nothing more will be sent; undefined until it turns out that this takes time. */
  #done: (() => void) | undefined

  constructor(session: Session, options: PostStreamOptions) {
    super()
    this.#session = session
    this.#options = options
    this.#waiting = options.ids
  }

  get auth(): AuthInfo | undefined {
    return this.#options.auth
  }

  /** Hands in what was posted. Returns a promise if it is not answered when that is done. */
  run(value: unknown): Soon<void> {
    this.#session.receive(value, this.#options.auth, this)
    if (!this.#finished) return this.#wait()
  }

  /** Most answers are there at once, and nobody can leave before that. */
  #wait(): Promise<void> {
    const { reply, mode, pulse, pollAfterMs } = this.#options
    const done = new Promise<void>((resolve) => {
      this.#done = resolve
    })
    this.#session.addPost(this)
    pulse.add(this)
    reply.onGone(() => {
      this.#gone = true
    })
    if (pollAfterMs !== undefined && mode !== 'json' && this.#session.polls) this.#watchSilence()
    if (mode === 'sse' && this.#stream === undefined) this.#open()
    return done
  }

  send(payload: Payload): void | Promise<void> {
    const answer = isAnswer(payload)
    // Whoever left before the first event has no id to come back with.
    const streams = this.#options.mode !== 'json' && (this.#stream !== undefined || !this.#gone)
    if (!answer && !streams) return this.#sendElsewhere(payload as Message)
    const json = toText(payload)
    if (this.#finished) return
    if (this.#done !== undefined && this.#options.pollAfterMs !== undefined)
      this.expiresAt = tickIn(this.#options.pollAfterMs)
    if (!answer || this.#stream !== undefined) return this.#sendEvent(payload, json)
    if (Array.isArray(payload)) this.#answers.push(...payload)
    else this.#answers.push(payload as Message)
    this.#answered(payload)
    if (this.#waiting.length === 0) return this.#sendAll(json)
  }

  /** One of the requests was cancelled, so it gets no answer. */
  giveUp(id: unknown): void {
    if (id === undefined || !this.#answeredOne(id as RequestId)) return
    if (this.#waiting.length > 0 || this.#finished) return
    if (this.#stream === undefined && this.#answers.length > 0) this.#sendJson(JSON.stringify(this.#answers))
    else this.#endEmpty()
  }

  sessionEnded(): void {
    if (this.#finished) return
    if (this.#stream === undefined && !this.#gone) {
      refuse(this.#options.reply, refusal(404, 'The session has ended'), this.#options.headers)
    }
    this.#finish()
  }

  /** Long silence before the answer looks like a dead connection, unless there is a stream to send comments on. */
  beat(): void {
    if (this.#beats++ > 0 && this.#options.mode === 'auto' && this.#stream === undefined) this.#open()
  }

  expire(): void {
    if (this.#finished) return
    if (this.#stream === undefined) this.#open()
    this.#stream?.pause()
    this.#watchSilence()
  }

  #watchSilence(): void {
    this.expiresAt = tickIn(this.#options.pollAfterMs!)
    watch(this)
  }

  #sendEvent(payload: Payload, json: Text): void | Promise<void> {
    if (this.#stream === undefined) this.#open()
    const sending = this.#stream?.push(json)
    if (isAnswer(payload)) this.#answered(payload)
    if (this.#waiting.length === 0) this.#finish()
    return sending
  }

  /** A client without a stream here still gets the questions, where it listens for them. */
  #sendElsewhere(message: Message): void | Promise<void> {
    if ('id' in message) return this.#session.send(message)
  }

  #answered(payload: Payload): void {
    if (Array.isArray(payload)) for (const one of payload) this.#answered(one)
    else this.#answeredOne((payload as { id?: RequestId }).id)
  }

  /** True if it was waited for. An answer without an id is to all that was sent. */
  #answeredOne(id: RequestId | undefined): boolean {
    const index = id === undefined ? 0 : this.#waiting.indexOf(id)
    return index >= 0 && this.#waiting.splice(index, id === undefined ? this.#waiting.length : 1).length > 0
  }

  #open(): void {
    if (this.#gone) return
    this.#stream = this.#session.newStream()
    this.#stream.openNew(this.#options.reply, this.#options.headers)
    for (const answer of this.#answers.splice(0)) void this.#stream.push(JSON.stringify(answer))
  }

  /** Everything is answered, and nothing was sent before. */
  #sendAll(json: Text): Soon<void> {
    const { mode, batch } = this.#options
    // A batch was done in part, so it has no status of its own.
    const challenge = batch ? undefined : challengeFor(this.#answers[0]!, this.#options)
    if (mode === 'sse' && !batch && challenge === undefined) return this.#sendStream(json)
    this.#sendJson(json, challenge)
  }

  /** A stream of one event is no different from one that takes time, and is sent as what it is: a text. */
  #sendStream(json: Text): Soon<void> {
    const text = this.#session.wholeStream(json)
    if (!(text instanceof Promise)) return this.#sendText(text)
    // What cannot be kept can still be sent.
    const unkept = (error: unknown): never => {
      this.#sendText(eventText(json))
      throw error
    }
    return text.then((kept) => this.#sendText(kept), unkept)
  }

  #sendText(text: Text): void {
    const { reply, headers } = this.#options
    if (!this.#gone) reply.send(200, headers === undefined ? streamHeaders : { ...streamHeaders, ...headers }, text)
    this.#finish()
  }

  #sendJson(json: Text, challenge?: ReplyHeaders): void {
    const { reply, headers, batch } = this.#options
    const body = batch && this.#answers.length > 1 && !isBatch(json) ? JSON.stringify(this.#answers) : json
    const status = challenge === undefined ? 200 : 403
    const all =
      headers === undefined && challenge === undefined ? jsonHeaders : { ...jsonHeaders, ...headers, ...challenge }
    if (!this.#gone) reply.send(status, all, body)
    this.#finish()
  }

  #endEmpty(): void {
    const { reply, headers, mode } = this.#options
    if (this.#stream === undefined && !this.#gone) {
      if (mode === 'json') refuse(reply, refusal(200, 'The request was cancelled', ErrorCode.InvalidRequest), headers)
      else reply.stream({ ...streamHeaders, ...headers }).end()
    }
    this.#finish()
  }

  #finish(): void {
    if (this.#finished) return
    this.#finished = true
    if (this.#stream !== undefined) {
      this.#stream.end()
      this.#session.release(this.#stream)
    }
    if (this.#done === undefined) return
    unwatch(this)
    this.#session.removePost(this)
    this.#options.pulse.delete(this)
    this.#done()
  }
}

const jsonHeaders: ReplyHeaders = { 'content-type': 'application/json' }

const isBatch = (json: Text): boolean => typeof json === 'string' && json.startsWith('[')
