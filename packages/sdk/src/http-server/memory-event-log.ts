import type { EventLog, EventLogLimits, LoggedEvent } from './stores.ts'

interface LoggedStream {
  events: LoggedEvent[]
  bytes: number
  last: number
  usedAt: number
}

/** An event log that ends with the process. It has no timer: what is too old goes when something is appended. */
export class MemoryEventLog implements EventLog {
  /** By session and stream; the one that was silent longest comes first. */
  readonly #streams = new Map<string, LoggedStream>()
  readonly #ofSession = new Map<string, Set<string>>()
  readonly #limits: Required<EventLogLimits>
  readonly #now: () => number
  #bytes = 0
  /** When something may be too old for the next time: to look at every append would cost more than the append. */
  #nextForgetting = 0

  constructor(limits: EventLogLimits = {}, now: () => number = Date.now) {
    this.#limits = {
      maxEvents: limits.maxEvents ?? 256,
      maxBytes: limits.maxBytes ?? 1024 * 1024,
      ttlMs: limits.ttlMs ?? 5 * 60_000,
      maxTotalBytes: limits.maxTotalBytes ?? 64 * 1024 * 1024,
    }
    this.#now = now
  }

  append(session: string, stream: string, text: string): number {
    const key = keyOf(session, stream)
    const known = this.#streams.get(key)
    const logged = known ?? this.#open(session, key)
    // Whoever was used last stands last.
    if (known !== undefined) this.#streams.delete(key)
    this.#streams.set(key, logged)
    logged.usedAt = this.#now()
    logged.last++
    this.#add(logged, { number: logged.last, text })
    if (this.#bytes > this.#limits.maxTotalBytes || logged.usedAt >= this.#nextForgetting) this.#forgetOld()
    return logged.last
  }

  after(session: string, stream: string, number: number): readonly LoggedEvent[] | undefined {
    this.#forgetOld()
    const logged = this.#streams.get(keyOf(session, stream))
    if (logged === undefined || number > logged.last) return undefined
    const missed = logged.last - number
    return missed > logged.events.length ? undefined : logged.events.slice(logged.events.length - missed)
  }

  forget(session: string): void {
    for (const key of this.#ofSession.get(session) ?? []) this.#drop(key)
    this.#ofSession.delete(session)
  }

  /** How much is kept, for whoever watches. */
  get size(): { streams: number; bytes: number } {
    return { streams: this.#streams.size, bytes: this.#bytes }
  }

  #open(session: string, key: string): LoggedStream {
    const keys = this.#ofSession.get(session)
    if (keys === undefined) this.#ofSession.set(session, new Set([key]))
    else keys.add(key)
    return { events: [], bytes: 0, last: 0, usedAt: 0 }
  }

  #add(logged: LoggedStream, event: LoggedEvent): void {
    const { maxEvents, maxBytes } = this.#limits
    logged.events.push(event)
    this.#count(logged, event.text.length)
    while (logged.events.length > maxEvents || logged.bytes > maxBytes) {
      this.#count(logged, -logged.events.shift()!.text.length)
    }
  }

  #count(logged: LoggedStream, bytes: number): void {
    logged.bytes += bytes
    this.#bytes += bytes
  }

  #forgetOld(): void {
    const oldest = this.#now() - this.#limits.ttlMs
    this.#nextForgetting = 0
    for (const [key, { usedAt }] of this.#streams) {
      if (usedAt >= oldest && this.#bytes <= this.#limits.maxTotalBytes) {
        this.#nextForgetting = usedAt + this.#limits.ttlMs + 1
        return
      }
      this.#drop(key)
      this.#forgetKey(key)
    }
  }

  #drop(key: string): void {
    const logged = this.#streams.get(key)
    if (logged === undefined) return
    this.#bytes -= logged.bytes
    this.#streams.delete(key)
  }

  #forgetKey(key: string): void {
    const session = key.slice(0, key.indexOf(' '))
    const keys = this.#ofSession.get(session)
    keys?.delete(key)
    if (keys?.size === 0) this.#ofSession.delete(session)
  }
}

// Neither half contains a space: both are made here, of visible characters.
const keyOf = (session: string, stream: string): string => `${session} ${stream}`
