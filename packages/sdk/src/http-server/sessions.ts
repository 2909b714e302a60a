import { heapBytesOf } from '../heap-size.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { AuthInfo } from '../server/caller.ts'
import { sessionBytes } from '../server/connection.ts'
import { keptInitialize } from '../server/identity.ts'
import { randomId } from './event-stream.ts'
import { Session, type SessionSurroundings } from './session.ts'
import type { Bus, SessionRecord, SessionStore } from './stores.ts'

/** The topic on which the id of a session is said when it ends. */
const endTopic = 'sessions/ended'

export interface SessionLimits {
  max: number
  idleMs: number
}

/** The sessions of this process, the one that was idle longest first. */
export class Sessions {
  readonly #live = new Map<string, Session>()
  readonly #restoring = new Map<string, Promise<Session | undefined>>()
  readonly #store: SessionStore
  readonly #bus: Bus | undefined
  readonly #stopListening: ReturnType<Bus['subscribe']> | undefined
  readonly #limits: SessionLimits
  readonly #surroundings: SessionSurroundings
  #sweeper: ReturnType<typeof setInterval> | undefined

  constructor(store: SessionStore, limits: SessionLimits, surroundings: SessionSurroundings, bus?: Bus) {
    this.#store = store
    this.#bus = bus
    this.#stopListening = bus?.subscribe(endTopic, (id) => void this.#endHere(id))
    this.#limits = limits
    this.#surroundings = surroundings
  }

  get size(): number {
    return this.#live.size
  }

  /** Makes a session that nobody can find until it is added. Idle ones end if there is no memory left for it. */
  async create(params: JsonObject, auth: AuthInfo | undefined): Promise<Session> {
    const initialize = keptInitialize(params)
    await this.#makeRoom(initialize)
    const record = { id: randomId(16), principal: auth?.principal, initialize }
    return new Session(record, this.#surroundings, auth)
  }

  /** Those that were idle longest go first. If all are in use, the handshake is refused by the connection. */
  async #makeRoom(initialize: JsonObject): Promise<void> {
    const { budget } = this.#surroundings.dispatcher.definition
    const bytes = sessionBytes + heapBytesOf(initialize)
    while (!budget.fits('sessions', bytes)) {
      const idle = this.#longestIdle()
      if (idle === undefined) return
      await this.end(idle)
    }
  }

  async add(session: Session): Promise<void> {
    await this.#store.add(session.record)
    this.#keep(session)
  }

  /** The session of a caller. Somebody else's is not there, as far as the caller can tell. */
  find(id: string, auth: AuthInfo | undefined): Session | undefined | Promise<Session | undefined> {
    const session = this.#live.get(id)
    if (session === undefined) return this.#restore(id, auth)
    if (session.principal !== auth?.principal || session.ended) return undefined
    this.#live.delete(id)
    this.#live.set(id, session)
    return session
  }

  async end(session: Session): Promise<void> {
    this.#live.delete(session.id)
    await this.#store.remove(session.id)
    await session.end()
    await this.#bus?.publish(endTopic, session.id)
    if (this.#live.size === 0) this.#stopSweeping()
  }

  async close(): Promise<void> {
    this.#stopSweeping()
    ;(await this.#stopListening)?.()
    const sessions = [...this.#live.values()]
    this.#live.clear()
    // The records stay: another process, or this one after a restart, may carry the sessions on.
    await Promise.all(sessions.map((session) => session.end()))
  }

  /** Ends what nobody has used for long. */
  sweep(): void {
    const now = this.#surroundings.now()
    for (const session of this.#live.values()) {
      if (session.busy) session.usedAt = now
      else if (session.usedAt <= now - this.#limits.idleMs) void this.end(session)
    }
  }

  /** Another process ended it. */
  async #endHere(id: string): Promise<void> {
    const session = this.#live.get(id)
    this.#live.delete(id)
    await session?.end()
  }

  #keep(session: Session): void {
    while (this.#live.size >= this.#limits.max) void this.end(this.#leastMissed())
    this.#live.set(session.id, session)
    this.#startSweeping()
  }

  #leastMissed(): Session {
    return this.#longestIdle() ?? this.#live.values().next().value!
  }

  #longestIdle(): Session | undefined {
    for (const session of this.#live.values()) if (!session.busy) return session
    return undefined
  }

  async #restore(id: string, auth: AuthInfo | undefined): Promise<Session | undefined> {
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

  /** Carries on a session that another process opened, by shaking hands with ourselves as its client did. */
  async #revive(record: SessionRecord, auth: AuthInfo | undefined): Promise<Session | undefined> {
    await this.#makeRoom(record.initialize)
    const session = new Session(record, this.#surroundings, auth)
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: record.initialize }
    await new Promise<void>((resolve) => session.receive(initialize, auth, { send: () => resolve() }))
    if (session.revision === undefined) return undefined
    session.receive({ jsonrpc: '2.0', method: 'notifications/initialized' }, auth)
    this.#keep(session)
    return session
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
