/** Remembers proofs that were used. One that several processes share belongs into `dpop.replays`. */
export interface ReplayStore {
  /** Remembers an id until a time in ms since 1970. False if it is remembered already. */
  add(id: string, until: number): boolean | Promise<boolean>
}

/** In the memory of this process; the oldest makes room when there are too many. */
export class MemoryReplays implements ReplayStore {
  readonly #max: number
  readonly #until = new Map<string, number>()

  constructor(max = 100_000) {
    this.#max = max
  }

  get size(): number {
    return this.#until.size
  }

  add(id: string, until: number): boolean {
    const now = Date.now()
    this.#forget(now)
    const known = this.#until.get(id)
    if (known !== undefined && known > now) return false
    this.#until.set(id, until)
    return true
  }

  #forget(now: number): void {
    for (const [id, until] of this.#until) {
      if (until > now && this.#until.size < this.#max) return
      this.#until.delete(id)
    }
  }
}
