import { setImmediate as turn } from 'node:timers/promises'
import { MemoryBus } from './memory-bus.ts'
import { MemoryEventLog } from './memory-event-log.ts'
import { MemorySessionStore } from './memory-session-store.ts'
import type {
  Bus,
  EventLogLimits,
  LoggedEvent,
  SessionChange,
  SessionRecord,
  SessionState,
  SharedEventLog,
  SharedSessionStore,
  StreamFollower,
} from './stores.ts'

/** Sessions of several servers in this process, with answers that come later, as over a network. */
export class SharedMemorySessions implements SharedSessionStore {
  readonly #records = new MemorySessionStore()
  readonly #states = new Map<string, SessionState>()

  async add(record: SessionRecord): Promise<void> {
    await turn()
    this.#records.add(record)
    this.#states.set(record.id, { version: 0, subscriptions: [], heard: 0, changes: record.changes ?? 0 })
  }

  async get(id: string): Promise<SessionRecord | undefined> {
    await turn()
    return this.#records.get(id)
  }

  async remove(id: string): Promise<boolean> {
    await turn()
    this.#states.delete(id)
    return this.#records.remove(id)
  }

  async use(id: string, knownVersion: number): Promise<SessionState | 'unchanged' | 'ended'> {
    await turn()
    const state = this.#states.get(id)
    if (state === undefined) return 'ended'
    return state.version === knownVersion ? 'unchanged' : state
  }

  async change(id: string, change: SessionChange): Promise<number | undefined> {
    await turn()
    const state = this.#states.get(id)
    if (state === undefined) return undefined
    const version = state.version + 1
    this.#states.set(id, { ...state, ...applied(state, change), version })
    return version
  }
}

function applied({ subscriptions }: SessionState, change: SessionChange): Partial<SessionState> {
  if ('logLevel' in change || 'heard' in change) return change
  if ('subscribe' in change) return { subscriptions: [...new Set([...subscriptions, change.subscribe])] }
  return { subscriptions: subscriptions.filter((uri) => uri !== change.unsubscribe) }
}

/** Streams of several servers in this process. */
export class SharedMemoryLog implements SharedEventLog {
  readonly #log: MemoryEventLog
  readonly #last = new Map<string, number>()
  readonly #ended = new Set<string>()
  readonly #followers = new Map<string, Set<StreamFollower>>()

  constructor(limits?: EventLogLimits) {
    this.#log = new MemoryEventLog(limits)
  }

  async append(session: string, stream: string, text: string, last?: 'last'): Promise<number> {
    await turn()
    const number = this.#log.append(session, stream, text)
    this.#last.set(keyOf(session, stream), number)
    for (const follower of this.#followersOf(session, stream)) follower.event({ number, text })
    if (last !== undefined) await this.end(session, stream)
    return number
  }

  async after(session: string, stream: string, number: number): Promise<readonly LoggedEvent[] | undefined> {
    await turn()
    return this.#log.after(session, stream, number)
  }

  async forget(session: string): Promise<void> {
    await turn()
    this.#log.forget(session)
  }

  async end(session: string, stream: string): Promise<void> {
    await turn()
    this.#ended.add(keyOf(session, stream))
    for (const follower of this.#followersOf(session, stream)) follower.end()
  }

  async last(session: string, stream: string): Promise<number> {
    await turn()
    return this.#last.get(keyOf(session, stream)) ?? 0
  }

  async follow(
    session: string,
    stream: string,
    number: number,
    follower: StreamFollower,
  ): Promise<(() => void) | undefined> {
    await turn()
    const last = this.#last.get(keyOf(session, stream)) ?? 0
    const missed = number === last ? [] : this.#log.after(session, stream, number)
    if (missed === undefined) return undefined
    for (const event of missed) follower.event(event)
    const key = keyOf(session, stream)
    if (this.#ended.has(key)) follower.end()
    const followers = this.#followersOf(session, stream)
    this.#followers.set(key, followers.add(follower))
    return () => void followers.delete(follower)
  }

  #followersOf(session: string, stream: string): Set<StreamFollower> {
    return this.#followers.get(keyOf(session, stream)) ?? new Set()
  }
}

const keyOf = (session: string, stream: string): string => JSON.stringify([session, stream])

/** A bus whose messages arrive later. */
export class SlowBus implements Bus {
  readonly #bus = new MemoryBus()

  async publish(topic: string, message: string): Promise<void> {
    await turn()
    this.#bus.publish(topic, message)
  }

  async subscribe(topic: string, listener: (message: string) => void): Promise<() => void> {
    await turn()
    return this.#bus.subscribe(topic, listener)
  }
}
