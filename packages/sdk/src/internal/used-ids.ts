/**
 * Remembers ids that may be used once while they are valid. The memory is bounded: a flood makes it forget those that
 * end first, and from then on every id that ends as early counts as used, so a flood makes no room for a replay.
 */
export class UsedIds {
  readonly #max: number
  readonly #now: () => number
  /** By the second in which they end. */
  readonly #ids = new Map<number, Set<string>>()
  #size = 0
  /** Ids that end in this second or earlier are not distinguished any more. */
  #forgottenUntil = 0
  #sweptAt = 0

  constructor({ max = 100_000, now = Date.now }: { max?: number; now?: () => number } = {}) {
    this.#max = max
    this.#now = now
  }

  get size(): number {
    return this.#size
  }

  /** False if the id was used before. It is remembered until a time in ms since 1970. */
  add(id: string, until: number): boolean {
    this.#sweep(Math.floor(this.#now() / 1_000))
    const second = Math.ceil(until / 1_000)
    const ids = this.#ids.get(second) ?? new Set()
    if (second <= this.#forgottenUntil || ids.has(id)) return false
    this.#ids.set(second, ids.add(id))
    this.#size++
    if (this.#size > this.#max) this.#forget(Math.min(...this.#ids.keys()))
    return true
  }

  /** It may be used once more. */
  delete(id: string): void {
    for (const ids of this.#ids.values()) if (ids.delete(id)) this.#size--
  }

  #sweep(now: number): void {
    if (now === this.#sweptAt) return
    this.#sweptAt = now
    for (const second of this.#ids.keys()) if (second < now) this.#forget(second)
  }

  #forget(second: number): void {
    this.#size -= this.#ids.get(second)!.size
    this.#ids.delete(second)
    // Also if it is over: a clock that was set ahead may be set back, and then it is not.
    this.#forgottenUntil = Math.max(this.#forgottenUntil, second)
  }
}
