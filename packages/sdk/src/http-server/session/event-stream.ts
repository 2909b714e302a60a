import type { HttpReply, ReplyHeaders, ReplyStream } from '../../http/request.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Text } from '../../transport/cached-text.ts'
import type { KeepAliveTarget, KeepAliveTimer } from '../keep-alive.ts'
import { eventText, keepAliveText, primingText, retryText, streamHeaders } from '../sse-format.ts'
import { type EventLog, isSharedLog } from '../stores/stores.ts'

/** The options of all streams of a session. */
export interface EventStreamOptions {
  readonly session: string
  /** The rights of its token, from `rightsOf`. */
  readonly rights: string
  readonly log: EventLog | undefined
  readonly keepAlive: KeepAliveTimer
  readonly retryMs: number
  /** Whether a connection that opens in silence starts with an event that only has an id, so that its client can come back. */
  readonly primes: boolean
}

/**
 * One stream of messages to a client. It outlives its connections: messages without one are kept in the log, and the
 * next connection gets them. Messages go to one connection only, the newest.
 */
export class EventStream implements KeepAliveTarget {
  readonly id: string
  readonly #kind: EventStreamOptions
  #connection: ReplyStream | undefined
  /** The number of the last event that was written to a connection. */
  #written = 0
  /** The number of the last event that was kept. */
  #last = 0
  #ended = false
  /** The writes before the next event, if the log is asynchronous. */
  #busy: Promise<void> | undefined

  constructor(kind: EventStreamOptions) {
    this.#kind = kind
    this.id = newStreamId(kind.rights)
  }

  /** Sends the missed events of a stream that is complete. */
  static replay(
    reply: HttpReply,
    headers: ReplyHeaders | undefined,
    id: string,
    events: readonly { number: number; text: string }[],
  ): void {
    const connection = reply.stream({ ...streamHeaders, ...headers })
    for (const { number, text } of events) connection.write(eventText(text, `${id}.${number}`))
    connection.end()
  }

  get connected(): boolean {
    return this.#connection !== undefined
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Sends a message, or keeps it for the next connection. */
  push(json: Text): MaybePromise<void> {
    const { log, session } = this.#kind
    if (log === undefined) return this.#connection?.write(eventText(json))
    if (this.#busy !== undefined) return this.#enqueue(() => this.#keepAndWrite(json))
    const number = log.append(session, this.id, String(json))
    if (typeof number === 'number') return this.#write(number, json)
    return this.#enqueue(() => this.#writeKept(number, json))
  }

  /**
   * Opens a connection for this stream and sends the events that the last one has not got, or those after `from`.
   * False, with nothing done, if some of them are forgotten.
   */
  async open(reply: HttpReply, headers: ReplyHeaders | undefined, from?: number): Promise<boolean> {
    let opened = false
    // In the queue: messages that are sent meanwhile come after the missed ones.
    await this.#enqueue(async () => {
      const missed = await this.#missed(from ?? this.#written)
      if (missed === undefined && from !== undefined) return
      opened = true
      this.#attach(reply, headers, from === undefined ? 'silence' : undefined)
      // Bun keeps the headers of a stream back until it has something to send.
      this.sendKeepAlive()
      for (const { number, text } of missed ?? []) this.#write(number, text)
    })
    this.#endConnection()
    return opened
  }

  /**
   * As `open`, at once, for a stream that carries nothing yet. If a message follows at once, that has an id itself: an empty
   * event before it would be of no use, and some clients report an error.
   */
  openNew(reply: HttpReply, headers: ReplyHeaders | undefined, follows: 'message' | 'silence'): void {
    this.#attach(reply, headers, follows)
  }

  /** Ends the connection but not the stream: the client reconnects for the rest. */
  pause(): void {
    const connection = this.#detach()
    connection?.write(retryText(this.#kind.retryMs))
    connection?.end()
  }

  /** No message will follow. */
  end(): void {
    this.#ended = true
    this.#endConnection()
    const { log, session } = this.#kind
    if (isSharedLog(log)) void this.#enqueue(async () => log.end(session, this.id)).catch(() => {})
  }

  sendKeepAlive(): void {
    this.#connection?.write(keepAliveText)
  }

  /** Once no message will follow, and the last one has left. */
  #endConnection(): void {
    if (!this.#ended) return
    if (this.#busy === undefined) this.#detach()?.end()
    else void this.#busy.then(() => this.#endConnection())
  }

  #missed(from: number): ReturnType<EventLog['after']> {
    const { log, session } = this.#kind
    return log === undefined || from === this.#last ? [] : log.after(session, this.id, from)
  }

  /** Without `follows`, the client has an id already. */
  #attach(reply: HttpReply, headers: ReplyHeaders | undefined, follows?: 'message' | 'silence'): void {
    const { log, primes, retryMs, keepAlive } = this.#kind
    const connection = reply.stream({ ...streamHeaders, ...headers })
    this.#detach()?.end()
    this.#connection = connection
    keepAlive.add(this)
    reply.onGone(() => {
      if (this.#connection === connection) this.#detach()
    })
    if (follows === undefined || !primes || log === undefined) return
    connection.write(follows === 'message' ? retryText(retryMs) : primingText(`${this.id}.${this.#written}`, retryMs))
  }

  #detach(): ReplyStream | undefined {
    const connection = this.#connection
    if (connection === undefined) return undefined
    this.#connection = undefined
    this.#kind.keepAlive.delete(this)
    return connection
  }

  #write(number: number, json: Text): MaybePromise<void> {
    this.#last = Math.max(this.#last, number)
    if (this.#connection === undefined) return
    this.#written = number
    return this.#connection.write(eventText(json, `${this.id}.${number}`))
  }

  async #keepAndWrite(json: Text): Promise<void> {
    const { log, session } = this.#kind
    await this.#writeKept(log!.append(session, this.id, String(json)), json)
  }

  /** An event that cannot be kept can still be sent, without a number to come back to. */
  async #writeKept(keeping: MaybePromise<number>, json: Text): Promise<void> {
    let number: number
    try {
      number = await keeping
    } catch (error) {
      if (this.#connection === undefined) throw error
      await this.#connection.write(eventText(json))
      return
    }
    await this.#write(number, json)
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const mine = (this.#busy ?? Promise.resolve()).then(work)
    const settled = mine.catch(() => {})
    this.#busy = settled
    void settled.then(() => {
      if (this.#busy === settled) this.#busy = undefined
    })
    return mine
  }
}

/** The stream and the number in an event id. */
export function readEventId(id: string): { stream: string; number: number } | undefined {
  const match = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})$/.exec(id)
  return match === null ? undefined : { stream: match[1]!, number: Number(match[2]) }
}

let prefix: string | undefined
let streams = 0

/** An id that no stream has had, here or in another process. It ends with the rights of the token that it is for. */
export function newStreamId(rights: string): string {
  prefix ??= randomHex(8)
  return `${prefix}-${(streams++).toString(36)}-${rights}`
}

/** The id of the stream for messages that belong to no request, in a session that several processes serve. */
export const sharedStreamId = (rights: string): string => `all-0-${rights}`

/** Whether a stream is for a token with these rights. Its id is counted, so knowing one is no proof of anything. */
export const isStreamFor = (id: string, rights: string): boolean => id.split('-')[2] === rights

/** Random bytes as text that is fit for headers and URLs. */
export function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
