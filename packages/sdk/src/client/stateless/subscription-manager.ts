import { ErrorCode, isRpcError, McpError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import type { ReconnectingConnection } from '../connecting/reconnecting-connection.ts'
import type { ConversationConnection, ListenSubscriptions } from '../conversation.ts'
import { unknownMethod } from '../notifications/unknown-method.ts'
import { type ClientSettings, toError } from '../options.ts'
import { ListenStream } from './listen-stream.ts'
import { RetryTimer } from './retry-timer.ts'
import { StreamHandover } from './stream-handover.ts'
import { type FilterEntries, filterEntry, isFieldEntry } from './subscription-filter.ts'

/** Errors that a second attempt would meet again. */
const finalCodes: ReadonlySet<number> = new Set([
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
  ErrorCode.InvalidRequest,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.UnsupportedProtocolVersion,
])
const isFinal = (error: unknown): boolean => isRpcError(error) && finalCodes.has(error.code)

/** Streams that share a connection, at most. Servers allow some 100 of them. */
const maxShared = 64
/** Entries of shared streams that nobody wants any more, at most, besides as many as are wanted. */
const maxUnwanted = 64
/** Longer than a server needs to forget streams that were cancelled. */
const forgetMs = 250

/**
 * The `subscriptions/listen` streams, for as long as there are subscriptions. The filter of a stream cannot change:
 *
 * - If every stream has a connection of its own, as over HTTP, there is one. Another takes its place when the
 *   subscriptions change.
 * - If they share a connection, another one is added for new subscriptions. Some servers forget all list changes of a
 *   connection when any of its streams ends (Go SDK 1.8), so none ends while lists are listened to. Too many of them end
 *   together, and become one.
 */
export class SubscriptionManager implements ListenSubscriptions {
  readonly #connection: ReconnectingConnection
  readonly #fields: (connection: ClientConnection) => Iterable<string>
  readonly #settings: ClientSettings
  readonly #retry: RetryTimer
  readonly #values = new Set<string>()
  readonly #open = new Set<ListenStream>()
  readonly #warned = new Set<string>()
  /** The acknowledged ones whose notifications are delivered. */
  readonly #used = new Set<ListenStream>()
  /** The one that was opened last. */
  #latest: ListenStream | undefined
  #handover: StreamHandover | undefined
  /** The adjustment that has not begun, and will use the filter of that moment. */
  #next: Promise<void> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #missing = false
  #missed: () => void = () => {}
  #closed = false

  /** Given the fields of the filter besides the subscribed values. */
  constructor(connection: ReconnectingConnection, fields: (connection: ClientConnection) => Iterable<string>) {
    this.#connection = connection
    this.#settings = connection.settings
    this.#fields = fields
    this.#retry = new RetryTimer(connection.settings, () => void this.refresh())
  }

  /** Calls the listener after a time in which changes may have gone unannounced. */
  onMissed(listener: () => void): void {
    this.#missed = listener
  }

  /** Adds a value to a field of the filter; resolves when the server has acknowledged it. */
  async subscribe(field: string, value: string): Promise<void> {
    const wanted = filterEntry(field, value)
    this.#values.add(wanted)
    try {
      await this.#adjusted()
      if ([...this.#used].some(({ honoured }) => honoured!.has(wanted))) return
      throw new McpError('unsupported', `The server does not announce changes of ${value}`)
    } catch (error) {
      this.#values.delete(wanted)
      void this.refresh()
      throw unknownMethod(error, 'subscriptions/listen', value)
    }
  }

  async unsubscribe(field: string, value: string): Promise<void> {
    this.#values.delete(filterEntry(field, value))
    await this.refresh()
  }

  /** Brings the filter up to date; resolves when the server has acknowledged it, or refused it. */
  async refresh(): Promise<void> {
    await this.#adjusted().catch(() => {})
  }

  /** There is a new connection, which knows no subscription. */
  renew(): void {
    for (const each of this.#used) if (each.connection.ended) this.#used.delete(each)
    this.#warned.clear()
    this.#retry.reset()
    void this.refresh()
  }

  /** There is a new connection, without streams. */
  clear(): void {
    this.#values.clear()
    this.renew()
  }

  /** Nothing stays open, and nothing is opened any more. */
  close(): void {
    this.#closed = true
    this.#silence()
  }

  // Notifications

  acknowledged(params: JsonObject, connection: ConversationConnection): void {
    const stream = this.#named(params, connection)
    if (stream === undefined) this.#stray('notifications/subscriptions/acknowledged', params, connection)
    // At once: later notifications on the same wire belong to the new stream.
    else if (stream.acknowledge(params.notifications as JsonObject)) this.#use(stream)
  }

  /** The server ended a stream, if it was one; it may end nothing else this way. */
  cancelled(id: unknown, connection: ConversationConnection): void {
    for (const stream of this.#open) if (stream.isNamed(id, connection)) stream.cancelled()
  }

  /** Delivers a notification of a stream in use; those of others are dropped or wait. */
  receive(method: string, params: JsonObject, connection: ConversationConnection, deliver: () => void): void {
    const stream = this.#named(params, connection)
    const key = `${method} ${String(params.uri)}`
    if (stream === undefined || stream.honoured === undefined) this.#stray(method, params, connection)
    else if (stream === this.#handover?.old) this.#handover.late(key, deliver)
    else {
      this.#handover?.received(key)
      deliver()
    }
  }

  #named(params: JsonObject, connection: ConversationConnection): ListenStream | undefined {
    const id = subscriptionOf(params)
    for (const stream of this.#open) if (stream.isNamed(id, connection)) return stream
    return undefined
  }

  #stray(method: string, params: JsonObject, connection: ConversationConnection): void {
    // Notifications may still arrive for a stream that was just ended.
    if (this.#latest?.follows(subscriptionOf(params), connection)) return
    this.#settings.warn(`${method} came for no subscription of this client, and is ignored`)
  }

  // Adjusting

  #adjusted(): Promise<void> {
    this.#next ??= this.#last.then(nextTurn).then(() => {
      this.#next = undefined
      const round = this.#adjust()
      this.#last = round.catch(() => {})
      return round
    })
    return this.#next
  }

  async #adjust(): Promise<void> {
    this.#retry.cancel()
    if (this.#closed) throw new McpError('closed', 'The client was closed')
    const connection = await this.#connection.current()
    const wanted = connection.conversation.listenFilter(this.#fields(connection), this.#values)
    if (wanted.size === 0) this.#silence()
    else if (connection.streamPerRequest) await this.#replace(connection, wanted)
    else await this.#add(connection, wanted)
  }

  /** One stream for all: another takes the place of one that does not fit. */
  async #replace(connection: ClientConnection, wanted: FilterEntries): Promise<void> {
    const [current] = this.#on(connection)
    if (current === undefined || !current.covers(wanted)) await this.#listen(connection, wanted)
  }

  /** One more stream, for entries that no other has. */
  async #add(connection: ClientConnection, wanted: FilterEntries): Promise<void> {
    const streams = this.#on(connection)
    if (![...wanted].some(isFieldEntry)) for (const each of streams) if (!each.has(wanted)) this.#end(each)
    const added = new Set([...wanted].filter((entry) => !streams.some(({ asked }) => asked.has(entry))))
    const unwanted = streams.flatMap(({ honoured }) => [...honoured!]).filter((entry) => !wanted.has(entry))
    if (unwanted.length > maxUnwanted + wanted.size || (added.size > 0 && streams.length >= maxShared)) {
      await this.#endAll(connection)
      return this.#adjust()
    }
    if (added.size > 0) await this.#listen(connection, added)
  }

  #on(connection: ClientConnection): ListenStream[] {
    return [...this.#used].filter((each) => each.connection === connection)
  }

  #end(stream: ListenStream): void {
    this.#used.delete(stream)
    stream.close()
  }

  /** Ends the streams of a connection, so that one can take their place. */
  async #endAll(connection: ClientConnection): Promise<void> {
    for (const each of this.#on(connection)) this.#end(each)
    this.#missing = true
    await new Promise((resolve) => setTimeout(resolve, forgetMs))
  }

  async #listen(connection: ClientConnection, wanted: FilterEntries): Promise<void> {
    const stream = new ListenStream(connection, wanted, this.#settings.peer.timeoutMs)
    this.#open.add(stream)
    this.#latest = stream
    void stream.ended.then((error) => this.#lost(stream, error))
    try {
      await stream.acknowledged
    } catch (error) {
      this.#failed(stream, toError(error))
      throw error
    }
  }

  #use(stream: ListenStream): void {
    this.#takeOver(stream)
    this.#used.add(stream)
    this.#warnOfUnheard(stream)
    if (!this.#missing) return
    this.#missing = false
    this.#missed()
  }

  /** Begins to end the stream in whose place this one is. */
  #takeOver({ connection }: ListenStream): void {
    this.#handover?.finish()
    this.#handover = undefined
    const [old] = connection.streamPerRequest ? this.#used : []
    if (old === undefined) return
    this.#used.delete(old)
    this.#handover = new StreamHandover(old, () => {
      this.#handover = undefined
    })
  }

  #warnOfUnheard({ asked, honoured }: ListenStream): void {
    for (const each of asked) {
      const known = this.#missing || isFieldEntry(each)
      if (!known || honoured!.has(each) || this.#warned.has(each)) continue
      this.#warned.add(each)
      this.#settings.warn(`The server does not announce ${each}`)
    }
  }

  /** Ends all streams: there are no subscriptions. */
  #silence(): void {
    this.#retry.cancel()
    this.#handover?.abandon()
    this.#handover = undefined
    this.#used.clear()
    this.#missing = false
    for (const stream of this.#open) stream.close()
  }

  // Trying again

  #lost(stream: ListenStream, error: Error | undefined): void {
    this.#open.delete(stream)
    if (!this.#used.has(stream)) return
    const others = this.#on(stream.connection).filter((each) => each !== stream)
    // A server that has none of the entries ends their stream in order. It would do so each time.
    if (error === undefined && stream.honoured!.size === 0 && others.length === 0) return
    // Some servers forget the list changes of the other streams too.
    for (const each of [stream, ...others]) this.#end(each)
    this.#missing = true
    this.#retry.resetAfter(performance.now() - stream.acknowledgedAt)
    this.#tryAgain(error?.message)
  }

  #failed({ asked }: ListenStream, error: Error): void {
    if (!isFinal(error)) this.#tryAgain(error.message)
    else if ([...asked].some(isFieldEntry))
      this.#settings.warn(`The server refused subscriptions/listen: ${error.message}`)
  }

  #tryAgain(why: string | undefined): void {
    if (!this.#closed) this.#retry.schedule(why)
  }
}

/** Subscriptions of one turn share one request. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

const subscriptionOf = ({ _meta }: JsonObject): unknown => (_meta as JsonObject | undefined)?.[metaKeys.subscriptionId]
