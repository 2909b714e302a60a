import { McpError } from '../errors.ts'
import { Few } from '../jsonrpc/few.ts'
import type { Payload } from '../jsonrpc/message.ts'
import type { PeerOptions } from '../jsonrpc/peer-options.ts'
import { rightsOf } from '../server/access/token-rights.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { CallerState } from '../server/caller-state.ts'
import { ServedConnection } from '../server/connection.ts'
import type { Dispatcher } from '../server/dispatch/dispatcher.ts'
import type { Soon } from '../soon.ts'
import type { Channel, ChannelInfo, MessageSink, Receiver } from '../transport/channel.ts'
import type { Text } from '../transport/kept-text.ts'
import { toJson } from '../transport/to-json.ts'
import { polls } from '../wire/over-http.ts'
import { answeredAs } from './answered-as.ts'
import { EventStream, isStreamFor, newStreamId, type StreamKind } from './event-stream.ts'
import type { Pulse } from './pulse.ts'
import type { HttpReply, ReplyHeaders } from './request.ts'
import { eventText, primingText } from './sse-text.ts'
import type { EventLog, SessionRecord } from './stores.ts'

export interface SessionSurroundings {
  readonly dispatcher: Dispatcher
  /** The bounds of one session. */
  readonly limits: PeerOptions
  readonly log: EventLog | undefined
  readonly pulse: Pulse
  readonly retryMs: number
  now(): number
}

/** A request that carries on a stream. */
export interface Resumption {
  readonly reply: HttpReply
  readonly headers: ReplyHeaders | undefined
  readonly auth: AuthInfo | undefined
}

/** One client of the handshake era: its messages come in many requests, and belong together. */
export class Session implements Channel {
  /** What is known of it wherever it is carried on. */
  readonly record: SessionRecord
  /** When it was last heard of. */
  usedAt: number
  readonly #surroundings: SessionSurroundings
  readonly #connection: ServedConnection
  /** The token of the request that opened the standalone stream last; before that, of the one that opened the session. */
  #auth: AuthInfo | undefined
  /** Streams that will carry more, by id. */
  #streams: Few<string, EventStream> | undefined
  #standalone: EventStream | undefined
  #receiver!: Receiver
  #closing: Promise<void> | undefined

  constructor(record: SessionRecord, surroundings: SessionSurroundings, auth: AuthInfo | undefined) {
    this.record = record
    this.#surroundings = surroundings
    this.usedAt = this.#now()
    this.#auth = auth
    // Every request brings its own token, so the connection as a whole has none.
    this.#connection = new ServedConnection(surroundings.dispatcher, this, { transport: 'http' }, surroundings.limits)
  }

  get id(): string {
    return this.record.id
  }

  get principal(): string | undefined {
    return this.record.principal
  }

  get about(): ChannelInfo {
    return { transport: 'http', session: this.id }
  }

  /** The revision that was agreed on, once it was. */
  get revision(): string | undefined {
    return this.#connection.caller?.revision
  }

  /** Looks something up for a request that came with a token; its caller is undefined before the handshake. */
  asCaller<T>(auth: AuthInfo | undefined, use: (caller: CallerState | undefined) => Promise<T>): Promise<T> {
    return this.#connection.asCaller(auth, use)
  }

  get polls(): boolean {
    return polls(this.revision ?? '') && this.#surroundings.log !== undefined
  }

  /** True while somebody listens or waits. */
  get busy(): boolean {
    return this.#connection.busy || this.#standalone?.connected === true
  }

  /** How many streams will carry more. */
  get openStreams(): number {
    return this.#streams?.size ?? 0
  }

  get ended(): boolean {
    return this.#closing !== undefined
  }

  /** Hands a message in; its answer, if it gets one, and all that belongs to it goes into the sink. */
  receive(value: unknown, auth: AuthInfo | undefined, sink: MessageSink = this): void {
    this.usedAt = this.#now()
    this.#receiver.receive(value, answeredAs(auth, sink))
  }

  /** Why an array is not taken as a batch; undefined if it is. */
  refuseBatch(messages: unknown[]): string | undefined {
    return this.#connection.refuseBatch(messages)
  }

  /** The text of a stream that carries one message and ends. It can be asked for again, like that of any other. */
  wholeStream(json: Text, auth: AuthInfo | undefined): Soon<Text> {
    const { log } = this.#surroundings
    if (log === undefined) return eventText(json)
    const id = newStreamId(rightsOf(auth))
    const number = log.append(this.id, id, String(json))
    return number instanceof Promise
      ? number.then((known) => this.#streamText(id, known, json))
      : this.#streamText(id, number, json)
  }

  #streamText(id: string, number: number, json: Text): Text {
    const event = eventText(json, `${id}.${number}`)
    if (!this.polls) return event
    const start = primingText(`${id}.0`, this.#surroundings.retryMs)
    return typeof event === 'string' ? start + event : event.within(start, '')
  }

  /** A stream for the token that a request came with. */
  newStream(auth: AuthInfo | undefined): EventStream {
    const stream = new EventStream(this.#streamKind(rightsOf(auth)))
    if (this.ended) {
      // Nothing will come: its connection ends as soon as it is open.
      stream.end()
      return stream
    }
    this.#streams ??= new Few()
    this.#streams.set(stream.id, stream)
    return stream
  }

  /** No connection will ask for this stream's future any more; its past is in the log. */
  release(stream: EventStream): void {
    this.#streams?.delete(stream.id)
  }

  /** Opens the stream for what belongs to no request. A second one takes the place of the first. */
  async listen(reply: HttpReply, headers: ReplyHeaders | undefined, auth: AuthInfo | undefined): Promise<void> {
    this.usedAt = this.#now()
    const waiting = this.#standalone
    if (waiting !== undefined && !isStreamFor(waiting.id, rightsOf(auth))) this.#endStandalone(waiting)
    this.#auth = auth
    await this.#unrelated().open(reply, headers)
  }

  /** Its messages were judged for a token with other rights than the one that listens next. */
  #endStandalone(stream: EventStream): void {
    stream.end()
    this.release(stream)
    this.#standalone = undefined
  }

  /**
   * Carries on a stream whose connection was lost. False if it, or a part of it, is not known any more, or if it was for a
   * token with other rights.
   */
  async resume(stream: string, number: number, { reply, headers, auth }: Resumption): Promise<boolean> {
    this.usedAt = this.#now()
    const { log } = this.#surroundings
    if (log === undefined || !isStreamFor(stream, rightsOf(auth))) return false
    const open = this.#streams?.get(stream)
    if (open !== undefined && open === this.#standalone) this.#auth = auth
    if (open !== undefined) return open.open(reply, headers, number)
    const missed = await log.after(this.id, stream, number)
    if (missed === undefined) return false
    EventStream.replay(reply, headers, stream, missed)
    return true
  }

  // Channel

  get auth(): AuthInfo | undefined {
    return this.#auth
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
  }

  /** What belongs to no request waits for a stream that is not there yet. */
  send(payload: Payload): void | Promise<void> {
    if (this.ended) throw new McpError('closed', 'The session has ended')
    return this.#unrelated().push(toJson(payload))
  }

  /** Nothing waits for the end of a message that came without a sink of its own. */
  unanswered(): void {}

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Ends the session: requests in work are cancelled, streams end. */
  async end(): Promise<void> {
    await this.#connection.close()
  }

  async #close(): Promise<void> {
    for (const stream of this.#streams?.values() ?? []) stream.end()
    this.#streams = undefined
    await this.#surroundings.log?.forget(this.id)
  }

  /** Whole, because V8 keeps those in place. */
  #now(): number {
    return Math.floor(this.#surroundings.now())
  }

  #unrelated(): EventStream {
    this.#standalone ??= this.newStream(this.#auth)
    return this.#standalone
  }

  #streamKind(rights: string): StreamKind {
    const { log, pulse, retryMs } = this.#surroundings
    return { session: this.id, rights, log, pulse, retryMs, primes: this.polls }
  }
}
