import { monotonicMs } from './monotonic-ms.ts'

interface Until {
  /** Milliseconds since 1970. */
  readonly wall: number
  readonly monotonic: number
}

/** Ids that may be used once, in bounded memory: the oldest make room. */
export class UsedIds {
  readonly #max: number
  readonly #ids = new Map<string, Until>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#ids.size
  }

  /** False if it was used before. It is remembered until then, in milliseconds since 1970. */
  add(id: string, until: number): boolean {
    const now = { wall: Date.now(), monotonic: monotonicMs() }
    const known = this.#ids.get(id)
    if (known !== undefined && !isOver(known, now)) return false
    this.#forget(now)
    this.#ids.delete(id)
    this.#ids.set(id, { wall: until, monotonic: now.monotonic + (until - now.wall) })
    return true
  }

  delete(id: string): void {
    this.#ids.delete(id)
  }

  // All live about equally long, so those at the front are the first to expire.
  #forget(now: Until): void {
    for (const [id, until] of this.#ids) {
      if (!isOver(until, now) && this.#ids.size < this.#max) return
      this.#ids.delete(id)
    }
  }
}

/** By both clocks: a wall clock that is set ahead and back again would make usable again what was used. */
const isOver = (until: Until, now: Until): boolean => until.wall < now.wall && until.monotonic < now.monotonic
