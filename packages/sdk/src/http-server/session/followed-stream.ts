import type { HttpReply, ReplyHeaders, ReplyStream } from '../../http/request.ts'
import type { KeepAliveTarget } from '../keep-alive.ts'
import { eventText, keepAliveText, primingText, streamHeaders } from '../sse-format.ts'
import type { LoggedEvent, SharedEventLog, StreamFollower } from '../stores/stores.ts'
import type { EventStreamOptions } from './event-stream.ts'

interface FollowOptions extends Omit<EventStreamOptions, 'log' | 'rights'> {
  readonly log: SharedEventLog
  /** The stream. */
  readonly id: string
  /** An event was sent. */
  onWrite?(number: number): void
  /** The connection is over, for whatever reason. */
  onClose?(stream: FollowedStream): void
}

/** A connection that gets the events of a stream as they are logged, whichever process does that. */
export class FollowedStream implements KeepAliveTarget, StreamFollower {
  readonly #options: FollowOptions
  #connection: ReplyStream | undefined
  /** Events that came before there was a connection. */
  #early: LoggedEvent[] | undefined = []
  #written: number
  #stop: (() => void) | undefined
  #ended = false
  #closed = false

  private constructor(options: FollowOptions, from: number) {
    this.#options = options
    this.#written = from
  }

  /** Undefined, with nothing sent, if events after `from` are forgotten. */
  static async open(
    options: FollowOptions,
    from: number,
    reply: HttpReply,
    headers: ReplyHeaders | undefined,
  ): Promise<FollowedStream | undefined> {
    const stream = new FollowedStream(options, from)
    const { log, session, id } = options
    stream.#stop = await log.follow(session, id, from, stream)
    if (stream.#stop === undefined) return undefined
    stream.#attach(reply, headers)
    return stream
  }

  /** True once the connection is over, be it before it was used. */
  get closed(): boolean {
    return this.#closed
  }

  event(event: LoggedEvent): void {
    if (this.#closed) return
    if (this.#early !== undefined) this.#early.push(event)
    else this.#write(event)
  }

  end(): void {
    this.#ended = true
    if (this.#early === undefined) this.close()
  }

  /** Ends the connection; the stream goes on. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#stop?.()
    this.#options.keepAlive.delete(this)
    this.#connection?.end()
    this.#options.onClose?.(this)
  }

  stop(): void {
    this.close()
  }

  sendKeepAlive(): void {
    this.#connection?.write(keepAliveText)
  }

  #attach(reply: HttpReply, headers: ReplyHeaders | undefined): void {
    const { keepAlive, primes, id, retryMs } = this.#options
    this.#connection = reply.stream({ ...streamHeaders, ...headers })
    keepAlive.add(this)
    reply.onGone(() => this.close())
    if (primes) this.#connection.write(primingText(`${id}.${this.#written}`, retryMs))
    // Bun keeps the headers of a stream back until it has something to send.
    this.sendKeepAlive()
    const early = this.#early!
    this.#early = undefined
    for (const event of early) this.#write(event)
    if (this.#ended) this.close()
  }

  /** Events may be reported twice, by a log that reads what it missed. */
  #write({ number, text }: LoggedEvent): void {
    if (number <= this.#written) return
    this.#written = number
    this.#connection!.write(eventText(text, `${this.#options.id}.${number}`))
    this.#options.onWrite?.(number)
  }
}
