import type { Budget, Hold } from '../../internal/budget.ts'
import { heapBytesOfText } from '../../internal/heap-size.ts'
import { checkLimits } from '../../options/check-limits.ts'
import type { EventLog, EventLogLimits, LoggedEvent } from './stores.ts'

/** The heap of a stream besides its events: most have one short event, and would otherwise seem to take nothing. */
const streamBytes = 320
const eventBytes = 16
const defaultMaxTotalBytes = 16 * 1024 * 1024

const bytesOf = (text: string): number => eventBytes + heapBytesOfText(text)

/** The kept events of a stream. Most streams carry one event, which needs no list. */
class LoggedStream {
  readonly session: string
  readonly id: string
  /** The events that are known, up to the last. */
  #kept: string | string[] | undefined
  /** The characters of its events, and the heap that all of it takes. */
  length = 0
  bytes = streamBytes
  /** The number of the last event. */
  last = 0
  usedAt = 0
  /** Its neighbours in the order of their last events. */
  older: LoggedStream | undefined
  newer: LoggedStream | undefined

  constructor(session: string, id: string) {
    this.session = session
    this.id = id
  }

  get count(): number {
    return Array.isArray(this.#kept) ? this.#kept.length : this.#kept === undefined ? 0 : 1
  }

  add(text: string): void {
    this.last++
    if (this.#kept === undefined) this.#kept = text
    else if (typeof this.#kept === 'string') this.#kept = [this.#kept, text]
    else this.#kept.push(text)
  }

  /** Removes and returns the oldest event. */
  shift(): string {
    if (Array.isArray(this.#kept)) return this.#kept.shift()!
    const only = this.#kept!
    this.#kept = undefined
    return only
  }

  after(number: number): LoggedEvent[] {
    const missed = this.last - number
    const texts = missed === 0 ? [] : [this.#kept!].flat().slice(-missed)
    return texts.map((text, index) => ({ number: number + 1 + index, text }))
  }
}

/** An event log that ends with the process. It has no timer: old events go when one is appended. */
export class MemoryEventLog implements EventLog {
  readonly #sessions = new Map<string, Map<string, LoggedStream>>()
  /** The stream that was silent longest, and the one that was used last. */
  #oldest: LoggedStream | undefined
  #newest: LoggedStream | undefined
  readonly #limits: Required<EventLogLimits>
  readonly #given: EventLogLimits
  #hold: Hold | undefined
  readonly #now: () => number
  #streams = 0
  #bytes = 0
  /** When to look for old streams again: to look at every append would cost more than the append. */
  #nextForgetting = 0

  /** Ages come from a monotonic clock: the wall clock can be set, and streams would go early, or stay for hours. */
  constructor(limits: EventLogLimits = {}, now: () => number = () => performance.now()) {
    checkLimits(limits, 'eventLog')
    this.#given = limits
    this.#limits = {
      maxEvents: limits.maxEvents ?? 256,
      maxBytes: limits.maxBytes ?? 1024 * 1024,
      ttlMs: limits.ttlMs ?? 5 * 60_000,
      maxTotalBytes: limits.maxTotalBytes ?? defaultMaxTotalBytes,
    }
    this.#now = now
  }

  /** Counts the events as a share of a server's memory, which is also the limit unless one was given. */
  useBudget(budget: Budget): void {
    this.#hold ??= budget.charge('events', this.#bytes)
    this.#limits.maxTotalBytes = this.#given.maxTotalBytes ?? budget.limitOf('events')
  }

  append(session: string, stream: string, text: string): number {
    const known = this.#sessions.get(session)?.get(stream)
    if (known !== undefined) this.#unlink(known)
    const logged = known ?? this.#open(session, stream)
    this.#linkLast(logged)
    logged.usedAt = this.#now()
    this.#add(logged, text)
    if (this.#bytes > this.#limits.maxTotalBytes || logged.usedAt >= this.#nextForgetting) this.#forgetOld()
    this.#hold?.set(this.#bytes)
    return logged.last
  }

  after(session: string, stream: string, number: number): readonly LoggedEvent[] | undefined {
    this.#forgetOld()
    this.#hold?.set(this.#bytes)
    const logged = this.#sessions.get(session)?.get(stream)
    if (logged === undefined || number > logged.last || logged.last - number > logged.count) return undefined
    return logged.after(number)
  }

  forget(session: string): void {
    for (const logged of this.#sessions.get(session)?.values() ?? []) this.#drop(logged)
    this.#sessions.delete(session)
    this.#hold?.set(this.#bytes)
  }

  /** How much is kept, for monitoring and tests. */
  get size(): { streams: number; bytes: number } {
    return { streams: this.#streams, bytes: this.#bytes }
  }

  #open(session: string, stream: string): LoggedStream {
    const logged = new LoggedStream(session, stream)
    const streams = this.#sessions.get(session)
    if (streams === undefined) this.#sessions.set(session, new Map([[stream, logged]]))
    else streams.set(stream, logged)
    this.#streams++
    this.#bytes += logged.bytes
    return logged
  }

  #add(logged: LoggedStream, text: string): void {
    const { maxEvents, maxBytes } = this.#limits
    logged.add(text)
    this.#count(logged, text, 1)
    while (logged.count > maxEvents || logged.length > maxBytes) this.#count(logged, logged.shift(), -1)
  }

  #count(logged: LoggedStream, text: string, sign: 1 | -1): void {
    const bytes = sign * bytesOf(text)
    logged.length += sign * text.length
    logged.bytes += bytes
    this.#bytes += bytes
  }

  #forgetOld(): void {
    const tooOld = this.#now() - this.#limits.ttlMs
    this.#nextForgetting = 0
    for (let logged = this.#oldest; logged !== undefined; logged = this.#oldest) {
      if (logged.usedAt >= tooOld && this.#bytes <= this.#limits.maxTotalBytes) {
        this.#nextForgetting = logged.usedAt + this.#limits.ttlMs + 1
        return
      }
      this.#drop(logged)
    }
  }

  #drop(logged: LoggedStream): void {
    const { session, id, bytes } = logged
    this.#unlink(logged)
    this.#bytes -= bytes
    this.#streams--
    const streams = this.#sessions.get(session)
    streams?.delete(id)
    if (streams?.size === 0) this.#sessions.delete(session)
  }

  #linkLast(logged: LoggedStream): void {
    logged.older = this.#newest
    if (this.#newest === undefined) this.#oldest = logged
    else this.#newest.newer = logged
    this.#newest = logged
  }

  #unlink(logged: LoggedStream): void {
    const { older, newer } = logged
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    logged.older = undefined
    logged.newer = undefined
  }
}
