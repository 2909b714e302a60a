import { heapBytesOf } from '../../internal/heap-size.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { AuthInfo } from '../../server/caller.ts'
import { keptInitialize } from '../../server/client-identity.ts'
import { sessionBytes } from '../../server/session/handshake.ts'
import { BusSubscription } from '../../server/subscriptions/bus-subscription.ts'
import {
  type Bus,
  isShared,
  isSharedLog,
  type SessionRecord,
  type SessionStore,
  type SharedSessionStore,
} from '../stores/stores.ts'
import { randomHex } from './event-stream.ts'
import { HttpSession, type SessionContext } from './http-session.ts'
import { type Relayed, SessionRelay } from './session-relay.ts'

/** The topic for the ids of ended sessions. */
const endTopic = 'sessions/ended'

interface SessionLimits {
  max: number
  idleMs: number
}

/** The sessions of this process, the one that was idle longest first. */
export class HttpSessions {
  readonly #live = new Map<string, HttpSession>()
  /** Those whose handshake is under way. */
  readonly #opening = new Set<HttpSession>()
  readonly #restoring = new Map<string, Promise<HttpSession | undefined>>()
  readonly #store: SessionStore
  readonly #bus: Bus | undefined
  readonly #ends: BusSubscription | undefined
  readonly #limits: SessionLimits
  readonly #context: SessionContext
  /** Set if other processes serve the same sessions. */
  readonly #shared: SharedSessionStore | undefined
  readonly #relay: SessionRelay | undefined
  /** True once messages of other processes arrive: a session that is served before that would miss some. */
  #hasJoined: boolean
  #sweeper: ReturnType<typeof setInterval> | undefined
  #closed = false

  constructor(store: SessionStore, limits: SessionLimits, context: SessionContext, bus?: Bus) {
    this.#store = store
    this.#bus = bus
    const report = (error: unknown): void => void context.dispatcher.definition.report(error, 'bus')
    const listening = { report, late: () => this.#refresh() }
    this.#ends = bus && new BusSubscription(bus, endTopic, (id) => this.#endHere(id), listening)
    this.#limits = limits
    this.#shared = isShared(store) ? store : undefined
    if (this.#shared !== undefined && bus !== undefined)
      this.#relay = new SessionRelay(bus, (relayed) => this.#deliver(relayed), listening)
    this.#hasJoined = bus === undefined
    const sharing = this.#shared && { store: this.#shared, relay: this.#relay }
    this.#context = { ...context, sharing }
    if (this.#relay !== undefined && isSharedLog(context.log)) context.dispatcher.definition.useBus(bus!, context.log)
  }

  async #join(): Promise<void> {
    await this.#ends?.joined()
    await this.#relay?.joined()
    this.#hasJoined = true
  }

  /** How many there are, and those that are being opened. */
  get size(): number {
    return this.#live.size + this.#opening.size
  }

  /** How many event streams of sessions will carry more. */
  get openStreams(): number {
    let count = 0
    for (const session of this.#live.values()) count += session.openStreams
    return count
  }

  /** Makes a session that nobody can find until it is added. Idle ones end if there is no memory left for it. */
  async create(params: JsonObject, auth: AuthInfo | undefined): Promise<HttpSession> {
    if (!this.#hasJoined) await this.#join()
    const initialize = keptInitialize(params)
    await this.#makeRoom(initialize)
    const { changes } = this.#context.dispatcher.definition
    const counted = this.#shared !== undefined && { changes: await changes.count() }
    const record = { id: randomHex(16), principal: auth?.principal, initialize, ...counted }
    const session = new HttpSession(record, this.#context, auth)
    this.#opening.add(session)
    return session
  }

  /** Those that were idle longest go first. If all are in use, the handshake is refused by the connection. */
  async #makeRoom(initialize: JsonObject): Promise<void> {
    const { budget } = this.#context.dispatcher.definition
    const bytes = sessionBytes + heapBytesOf(initialize)
    while (!budget.fits('sessions', bytes)) {
      const idle = this.#longestIdle()
      if (idle === undefined) return
      await this.end(idle)
    }
  }

  /** Keeps a session whose handshake has worked, unless it was discarded meanwhile. */
  async add(session: HttpSession): Promise<void> {
    await this.#store.add(session.record)
    if (this.#opening.delete(session)) this.#keep(session)
    else await this.#store.remove(session.id)
  }

  /** Ends a session that was not added. */
  async discard(session: HttpSession): Promise<void> {
    if (this.#opening.delete(session)) await this.#endReported(session)
  }

  /** The session of a caller. A session of another caller is not found. */
  find(id: string, auth: AuthInfo | undefined): MaybePromise<HttpSession | undefined> {
    if (!this.#hasJoined) return this.#join().then(() => this.find(id, auth))
    const session = this.#live.get(id)
    if (session === undefined) return this.#restore(id, auth)
    if (session.principal !== auth?.principal) return undefined
    if (session.ended) return void this.#dismiss(session)
    this.#live.delete(id)
    this.#live.set(id, session)
    return this.#shared === undefined ? session : this.#upToDate(session, this.#shared)
  }

  /** Hands on the messages that other processes wait for, and returns the rest, if there is any. */
  async relay(session: HttpSession, message: unknown): Promise<unknown> {
    if (this.#relay === undefined) return message
    if (!Array.isArray(message)) return (await this.#relay.pass(session.id, message)) ? undefined : message
    const rest: unknown[] = []
    for (const one of message) if (!(await this.#relay.pass(session.id, one))) rest.push(one)
    return rest.length === 0 ? undefined : rest
  }

  #deliver({ session: id, message, listens, changed }: Relayed): void {
    const session = this.#live.get(id)
    if (session === undefined) return
    if (message !== undefined) session.receive(message, undefined)
    if (listens) void session.shared?.leave()
    if (changed) this.#refreshOne(session, this.#shared!)
  }

  /** Messages of other processes were missed: the store knows what became of the sessions. */
  #refresh(): void {
    const store = this.#shared
    if (store !== undefined) for (const session of this.#live.values()) this.#refreshOne(session, store)
  }

  #refreshOne(session: HttpSession, store: SharedSessionStore): void {
    this.#upToDate(session, store).catch((error: unknown) => this.#report(error))
  }

  /** True if messages may be meant for other processes. */
  get relays(): boolean {
    return this.#relay !== undefined
  }

  /** The same session with its state as other processes left it. */
  async #upToDate(session: HttpSession, store: SharedSessionStore): Promise<HttpSession | undefined> {
    const { last } = this.#context.dispatcher.definition.changes
    const state = await store.use(session.id, session.shared!.version)
    if (state === 'ended') {
      await this.#endHere(session.id)
      return undefined
    }
    if (state !== 'unchanged') session.shared!.restore(state, last)
    return session
  }

  async end(session: HttpSession): Promise<void> {
    this.#live.delete(session.id)
    if (this.#live.size === 0) this.#stopSweeping()
    // First: a store that fails must not keep the requests of the session open.
    const ending = this.#endReported(session)
    await this.#store.remove(session.id)
    await ending
    if (this.#shared !== undefined) await this.#context.log?.forget(session.id)
    await this.#bus?.publish(endTopic, session.id)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stopSweeping()
    const sessions = [...this.#live.values(), ...this.#opening]
    this.#live.clear()
    this.#opening.clear()
    // The records stay: another process, or this one after a restart, may resume the sessions.
    await Promise.all(sessions.map((session) => this.#endReported(session)))
    await this.#ends?.stop()
    await this.#relay?.close()
  }

  /** Ends the sessions that were idle for too long. */
  sweep(): void {
    const now = this.#context.now()
    for (const session of this.#live.values()) {
      if (session.busy) this.#stillUsed(session, now)
      else if (session.usedAt <= now - this.#limits.idleMs) void this.#dismiss(session)
    }
  }

  /** A store that ends idle sessions itself does not see that a request or a stream goes on. */
  #stillUsed(session: HttpSession, now: number): void {
    session.usedAt = now
    if (this.#shared !== undefined) this.#refreshOne(session, this.#shared)
  }

  /** Another process ended it. */
  async #endHere(id: string): Promise<void> {
    const session = this.#live.get(id)
    this.#live.delete(id)
    if (session !== undefined) await this.#endReported(session)
  }

  /** Ends a session that nobody waits for. One that others serve too only ends here. */
  async #dismiss(session: HttpSession): Promise<void> {
    try {
      await (this.#shared === undefined || session.ended ? this.end(session) : this.#endHere(session.id))
    } catch (error) {
      this.#report(error)
    }
  }

  /** Never rejects. */
  async #endReported(session: HttpSession): Promise<void> {
    try {
      await session.end()
      // Other processes may still serve it, and need its events.
      if (this.#shared === undefined) await this.#context.log?.forget(session.id)
    } catch (error) {
      this.#report(error)
    }
  }

  #report(error: unknown): void {
    this.#context.dispatcher.definition.report(error, 'session')
  }

  #keep(session: HttpSession): void {
    while (this.#live.size >= this.#limits.max) void this.#dismiss(this.#leastMissed())
    this.#live.set(session.id, session)
    this.#startSweeping()
  }

  #leastMissed(): HttpSession {
    return this.#longestIdle() ?? this.#live.values().next().value!
  }

  #longestIdle(): HttpSession | undefined {
    for (const session of this.#live.values()) if (!session.busy) return session
    return undefined
  }

  async #restore(id: string, auth: AuthInfo | undefined): Promise<HttpSession | undefined> {
    const record = await this.#store.get(id)
    if (record === undefined || record.principal !== auth?.principal) return undefined
    const restoring = this.#restoring.get(id) ?? this.#revive(record, auth)
    this.#restoring.set(id, restoring)
    try {
      return this.#live.get(id) ?? (await restoring)
    } finally {
      this.#restoring.delete(id)
    }
  }

  /** Resumes a session that another process opened, by replaying its `initialize`. */
  async #revive(record: SessionRecord, auth: AuthInfo | undefined): Promise<HttpSession | undefined> {
    await this.#makeRoom(record.initialize)
    if (this.#closed) return undefined
    const session = new HttpSession(record, this.#context, auth)
    this.#opening.add(session)
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: record.initialize }
    await new Promise<void>((resolve) =>
      session.receive(initialize, auth, { send: () => resolve(), unanswered: () => resolve() }),
    )
    if (session.revision === undefined || session.ended) {
      await this.discard(session)
      return undefined
    }
    session.receive({ jsonrpc: '2.0', method: 'notifications/initialized' }, auth)
    this.#opening.delete(session)
    this.#keep(session)
    return this.#shared === undefined ? session : this.#upToDate(session, this.#shared)
  }

  #startSweeping(): void {
    if (this.#sweeper !== undefined) return
    this.#sweeper = setInterval(() => this.sweep(), Math.max(1_000, this.#limits.idleMs / 10))
    ;(this.#sweeper as { unref?: () => void }).unref?.()
  }

  #stopSweeping(): void {
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
  }
}
