export interface Expiring {
  /** ms since 1970. */
  expiresAt: number
}

/** Entries that expire, in bounded memory: the one that was set longest ago makes room. */
export class ExpiringMap<Value extends Expiring> {
  readonly #max: number
  readonly #now: () => number
  readonly #entries = new Map<string, Value>()
  readonly #dropped: (value: Value) => void

  constructor(max: number, now: () => number, dropped: (value: Value) => void = () => {}) {
    this.#max = max
    this.#now = now
    this.#dropped = dropped
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined || value.expiresAt > this.#now()) return value
    this.#drop(key, value)
    return undefined
  }

  set(key: string, value: Value): void {
    // Set anew, so that the order is the one of the last use.
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#makeRoom()
  }

  /** Returns the entry and removes it, so that it is used once. */
  take(key: string): Value | undefined {
    const value = this.get(key)
    this.#entries.delete(key)
    return value
  }

  delete(key: string): boolean {
    return this.#entries.delete(key)
  }

  values(): Value[] {
    const now = this.#now()
    return [...this.#entries.values()].filter(({ expiresAt }) => expiresAt > now)
  }

  #makeRoom(): void {
    const now = this.#now()
    for (const [key, value] of this.#entries) {
      if (value.expiresAt > now && this.#entries.size <= this.#max) return
      this.#drop(key, value)
    }
  }

  #drop(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#dropped(value)
  }
}
