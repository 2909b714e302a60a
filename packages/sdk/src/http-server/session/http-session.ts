import { McpError } from '../../errors.ts'
import type { HttpReply, ReplyHeaders } from '../../http/request.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Channel, ChannelInfo, MessageSink, Receiver } from '../../jsonrpc/channel.ts'
import type { Payload } from '../../jsonrpc/message.ts'
import type { PeerOptions } from '../../jsonrpc/peer-options.ts'
import { SmallMap } from '../../jsonrpc/small-map.ts'
import { rightsOf } from '../../server/access/token-rights.ts'
import type { AuthInfo } from '../../server/caller.ts'
import type { CallerState } from '../../server/caller-state.ts'
import { ServedConnection } from '../../server/connection.ts'
import type { Dispatcher } from '../../server/dispatch/dispatcher.ts'
import type { Text } from '../../transport/cached-text.ts'
import { toJson } from '../../transport/to-json.ts'
import { polls } from '../../wire/over-http.ts'
import type { KeepAliveTimer } from '../keep-alive.ts'
import { eventText, retryText } from '../sse-format.ts'
import { type EventLog, isSharedLog, type SessionChange, type SessionRecord } from '../stores/stores.ts'
import { EventStream, type EventStreamOptions, isStreamFor, newStreamId } from './event-stream.ts'
import { FollowedStream } from './followed-stream.ts'
import { SharedSession, type Sharing } from './shared-session.ts'
import { sinkWithAuth } from './sink-with-auth.ts'

export interface SessionContext {
  readonly dispatcher: Dispatcher
  /** The bounds of one session. */
  readonly limits: PeerOptions
  readonly log: EventLog | undefined
  readonly keepAlive: KeepAliveTimer
  readonly retryMs: number
  /** Set if other processes serve the same sessions. */
  readonly sharing?: Sharing | undefined
  now(): number
}

/** A request that resumes a stream. */
interface Resumption {
  readonly reply: HttpReply
  readonly headers: ReplyHeaders | undefined
  readonly auth: AuthInfo | undefined
}

/** One client that sent `initialize`: its messages come in many requests, and belong together. */
export class HttpSession implements Channel {
  /** Its state, wherever it is resumed. */
  readonly record: SessionRecord
  /** When its client last sent a message. */
  usedAt: number
  /** Set if other processes serve it too. */
  readonly shared: SharedSession | undefined
  readonly #context: SessionContext
  readonly #connection: ServedConnection
  /** The token of the request that opened the standalone stream last; before that, of the one that opened the session. */
  #auth: AuthInfo | undefined
  /** Streams that will carry more, by id. */
  #streams: SmallMap<string, EventStream> | undefined
  #standalone: EventStream | undefined
  #receiver!: Receiver
  #closing: Promise<void> | undefined

  constructor(record: SessionRecord, context: SessionContext, auth: AuthInfo | undefined) {
    this.record = record
    this.#context = context
    this.usedAt = this.#now()
    this.#auth = auth
    // Every request brings its own token, so the connection as a whole has none.
    this.#connection = new ServedConnection(context.dispatcher, this, { transport: 'http' }, context.limits)
    if (context.sharing !== undefined) this.shared = this.#share(context.sharing)
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
    return polls(this.revision ?? '') && this.#context.log !== undefined
  }

  /** True while its client listens, or waits for an answer. */
  get busy(): boolean {
    return this.#connection.busy || this.#standalone?.connected === true || this.shared?.connected === true
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
    this.#receiver.receive(value, sinkWithAuth(auth, sink))
  }

  /** Why an array is not taken as a batch; undefined if it is. */
  refuseBatch(messages: unknown[]): string | undefined {
    return this.#connection.refuseBatch(messages)
  }

  /** The text of a stream that has one message and ends. It can be resumed, like any other. */
  wholeStream(json: Text, auth: AuthInfo | undefined): MaybePromise<Text> {
    const { log } = this.#context
    if (log === undefined) return eventText(json)
    const id = newStreamId(rightsOf(auth))
    const text = String(json)
    const number = isSharedLog(log) ? log.append(this.id, id, text, 'last') : log.append(this.id, id, text)
    return number instanceof Promise
      ? number.then((known) => this.#streamText(id, known, json))
      : this.#streamText(id, number, json)
  }

  #streamText(id: string, number: number, json: Text): Text {
    const event = eventText(json, `${id}.${number}`)
    if (!this.polls) return event
    const start = retryText(this.#context.retryMs)
    return typeof event === 'string' ? start + event : event.within(start, '')
  }

  /** A stream for the token that a request came with. */
  newStream(auth: AuthInfo | undefined): EventStream {
    const stream = new EventStream(this.#streamKind(rightsOf(auth)))
    if (this.ended) {
      // No message will follow: its connection ends as soon as it is open.
      stream.end()
      return stream
    }
    this.#streams ??= new SmallMap()
    this.#streams.set(stream.id, stream)
    return stream
  }

  /** No more messages come on this stream; the earlier ones are in the log. */
  release(stream: EventStream): void {
    this.#streams?.delete(stream.id)
  }

  /** Opens the stream for messages that belong to no request. A second one replaces the first. */
  async listen(reply: HttpReply, headers: ReplyHeaders | undefined, auth: AuthInfo | undefined): Promise<void> {
    this.usedAt = this.#now()
    if (this.shared?.sharesStandalone) {
      this.#auth = auth
      return this.shared.listen(rightsOf(auth), reply, headers)
    }
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
   * Resumes a stream whose connection was lost. False if it, or a part of it, is forgotten, or if it was for a token
   * with other rights.
   */
  async resume(stream: string, number: number, { reply, headers, auth }: Resumption): Promise<boolean> {
    this.usedAt = this.#now()
    const { log } = this.#context
    if (log === undefined || !isStreamFor(stream, rightsOf(auth))) return false
    const open = this.#streams?.get(stream)
    if (open !== undefined && open === this.#standalone) this.#auth = auth
    if (open !== undefined) return open.open(reply, headers, number)
    if (this.shared?.isStandalone(stream, rightsOf(auth))) {
      this.#auth = auth
      return this.shared.resume(stream, number, reply, headers)
    }
    if (isSharedLog(log)) {
      const kind = { ...this.#streamKind(''), log, id: stream, primes: false }
      return (await FollowedStream.open(kind, number, reply, headers)) !== undefined
    }
    const missed = await log.after(this.id, stream, number)
    if (missed === undefined) return false
    EventStream.replay(reply, headers, stream, missed)
    return true
  }

  // Channel

  get auth(): AuthInfo | undefined {
    return this.#auth
  }

  get hears(): boolean {
    return this.shared?.sharesStandalone !== true || this.shared.connected
  }

  get idPrefix(): string | undefined {
    return this.#context.sharing?.relay?.idPrefix
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
  }

  keep(change: SessionChange): MaybePromise<void> {
    return this.shared?.keep(change)
  }

  /** A message that belongs to no request waits for the standalone stream. */
  send(payload: Payload): MaybePromise<void> {
    if (this.ended) throw new McpError('closed', 'The session has ended')
    if (this.shared?.sharesStandalone) return this.shared.push(rightsOf(this.#auth), toJson(payload))
    return this.#unrelated().push(toJson(payload))
  }

  /** Nothing waits for the end of a message that came without a sink of its own. */
  unanswered(): void {}

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Ends the session: requests in flight are cancelled, streams end. */
  async end(): Promise<void> {
    await this.#connection.close()
  }

  async #close(): Promise<void> {
    for (const stream of this.#streams?.values() ?? []) stream.end()
    this.#streams = undefined
    await this.shared?.leave()
  }

  #share(sharing: Sharing): SharedSession {
    const { log, dispatcher } = this.#context
    const { definition } = dispatcher
    return new SharedSession({
      ...sharing,
      log,
      definition,
      connection: this.#connection,
      streams: this.#streamKind(''),
    })
  }

  /** A whole number, because V8 stores those without a heap object. */
  #now(): number {
    return Math.floor(this.#context.now())
  }

  #unrelated(): EventStream {
    this.#standalone ??= this.newStream(this.#auth)
    return this.#standalone
  }

  #streamKind(rights: string): EventStreamOptions {
    const { log, keepAlive, retryMs } = this.#context
    return { session: this.id, rights, log, keepAlive, retryMs, primes: this.polls }
  }
}
