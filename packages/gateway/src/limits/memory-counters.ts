import type { CounterLimit, CounterStore, Taken } from './counters.ts'

/** The times at which the buckets of a key are full again. */
type Buckets = number[]

const allowed: Taken = { allowed: true, retryAfterMs: 0 }

/**
 * Counters in memory. The number of keys is bounded; those that were not used for longest go first, so a caller cannot push
 * out its own busy bucket.
 */
export class MemoryCounters implements CounterStore {
  readonly #keys = new Map<string, Buckets>()
  readonly #maxKeys: number
  readonly #now: () => number

  constructor({ maxKeys = 100_000, now = () => performance.now() }: { maxKeys?: number; now?: () => number } = {}) {
    this.#maxKeys = maxKeys
    this.#now = now
  }

  take(key: string, cost: number, limits: readonly CounterLimit[]): Taken {
    const now = this.#now()
    const buckets = this.#use(key)
    const waits = limits.map(({ max, perMs }, at) => {
      // A bucket is empty if it takes as long to fill again as an empty one does; one unit has to be left.
      const owed = Math.max(0, (buckets[at] ?? 0) - now)
      return owed + perMs / max - perMs
    })
    const wait = Math.max(0, ...waits)
    // A rounding error is no reason to wait.
    if (wait > 1e-6) return { allowed: false, retryAfterMs: Math.ceil(wait) }
    this.#charge(buckets, cost, limits, now)
    return allowed
  }

  charge(key: string, cost: number, limits: readonly CounterLimit[]): void {
    this.#charge(this.#use(key), cost, limits, this.#now())
  }

  #charge(buckets: Buckets, cost: number, limits: readonly CounterLimit[], now: number): void {
    for (const [at, { max, perMs }] of limits.entries()) {
      buckets[at] = Math.max(now, buckets[at] ?? 0) + (cost * perMs) / max
    }
  }

  #use(key: string): Buckets {
    const found = this.#keys.get(key) ?? []
    this.#keys.delete(key)
    this.#keys.set(key, found)
    if (this.#keys.size > this.#maxKeys) for (const oldest of this.#keys.keys()) return this.#drop(oldest, found)
    return found
  }

  #drop(oldest: string, found: Buckets): Buckets {
    this.#keys.delete(oldest)
    return found
  }
}
