import { ErrorCode } from '../errors.ts'
import type { Message, Payload, RequestId } from '../jsonrpc/message.ts'
import { Deadline, tickIn, unwatch, watch } from '../jsonrpc/wheel.ts'
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
import { streamHeaders } from './sse-text.ts'
import { challengeFor, type StepUp } from './step-up.ts'

export interface PostStreamOptions extends StepUp {
  reply: HttpReply
  mode: ResponseMode
  headers: ReplyHeaders | undefined
  /** The requests that were sent, and whether as a batch. */
  ids: readonly RequestId[]
  batch: boolean
  pulse: Pulse
  pollAfterMs: number | undefined
  /** Called when nothing more will be sent. */
  done(): void
}

/**
 * Answers one POST of a session: as JSON if the answer comes first, as an event stream from the first other message
 * on. That stream is one of the session's, so it goes on without its connection.
 */
export class PostStream extends Deadline implements Sink, Beating {
  readonly #session: Session
  readonly #options: PostStreamOptions
  readonly #waiting: Set<RequestId>
  readonly #answers: Message[] = []
  #stream: EventStream | undefined
  #beats = 0
  #finished = false
  #gone = false

  constructor(session: Session, options: PostStreamOptions) {
    super()
    this.#session = session
    this.#options = options
    this.#waiting = new Set(options.ids)
    session.addPost(this)
    options.pulse.add(this)
    options.reply.onGone(() => {
      this.#gone = true
    })
    if (options.pollAfterMs !== undefined && options.mode !== 'json' && session.polls) this.#watchSilence()
    if (options.mode === 'sse') this.#open()
  }

  send(payload: Payload): void | Promise<void> {
    const answer = isAnswer(payload)
    // Whoever left before the first event has no id to come back with.
    const streams = this.#options.mode !== 'json' && (this.#stream !== undefined || !this.#gone)
    if (!answer && !streams) return this.#sendElsewhere(payload as Message)
    const json = toText(payload)
    if (this.#finished) return
    if (this.#options.pollAfterMs !== undefined) this.expiresAt = tickIn(this.#options.pollAfterMs)
    if (!answer || this.#stream !== undefined) return this.#sendEvent(payload, json)
    this.#answers.push(...[payload as Message].flat())
    this.#answered(payload)
    if (this.#waiting.size === 0) this.#sendJson(json)
  }

  /** One of the requests was cancelled, so it gets no answer. */
  giveUp(id: unknown): void {
    if (!this.#waiting.delete(id as RequestId) || this.#waiting.size > 0 || this.#finished) return
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
    if (this.#waiting.size === 0) this.#finish()
    return sending
  }

  /** A client without a stream here still gets the questions, where it listens for them. */
  #sendElsewhere(message: Message): void | Promise<void> {
    if ('id' in message) return this.#session.send(message)
  }

  #answered(payload: Payload): void {
    for (const { id } of [payload].flat() as { id?: RequestId }[]) {
      if (id === undefined) this.#waiting.clear()
      else this.#waiting.delete(id)
    }
  }

  #open(): void {
    if (this.#gone) return
    this.#stream = this.#session.newStream()
    this.#stream.openNew(this.#options.reply, this.#options.headers)
    for (const answer of this.#answers.splice(0)) void this.#stream.push(JSON.stringify(answer))
  }

  #sendJson(json: Text): void {
    const { reply, headers, batch } = this.#options
    const body = batch && this.#answers.length > 1 && !isBatch(json) ? JSON.stringify(this.#answers) : json
    // A batch was done in part, so it has no status of its own.
    const challenge = batch ? undefined : challengeFor(this.#answers[0]!, this.#options)
    const status = challenge === undefined ? 200 : 403
    if (!this.#gone) reply.send(status, { 'content-type': 'application/json', ...headers, ...challenge }, body)
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
    unwatch(this)
    this.#session.removePost(this)
    this.#options.pulse.delete(this)
    if (this.#stream !== undefined) {
      this.#stream.end()
      this.#session.release(this.#stream)
    }
    this.#options.done()
  }
}

const isBatch = (json: Text): boolean => typeof json === 'string' && json.startsWith('[')
