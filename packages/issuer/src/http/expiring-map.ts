export interface Ending {
  /** By the clock of the map. */
  expiresAt: number
}

/** Entries that end, by a clock that nobody sets, in bounded memory: the one that was set longest ago makes room. */
export class ExpiringMap<Value extends Ending> {
  readonly #max: number
  readonly #now: () => number
  readonly #entries = new Map<string, Value>()

  constructor(max: number, now: () => number) {
    this.#max = max
    this.#now = now
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    return value !== undefined && value.expiresAt > this.#now() ? value : undefined
  }

  set(key: string, value: Value): void {
    // Set anew, so that the order is the one of the last use.
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#makeRoom()
  }

  #makeRoom(): void {
    for (const [key, { expiresAt }] of this.#entries) {
      if (expiresAt > this.#now() && this.#entries.size <= this.#max) return
      this.#entries.delete(key)
    }
  }
}
