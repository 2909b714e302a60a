interface Window {
  count: number
  endsAt: number
}

/** Counts what happens within spans of time, by key, in bounded memory. */
export class Windows {
  readonly #windowMs: number
  readonly #max: number
  readonly #open = new Map<string, Window>()

  /** At most `max` keys are remembered: the one whose span ends first is forgotten. */
  constructor(windowMs: number, max: number) {
    this.#windowMs = windowMs
    this.#max = max
  }

  get size(): number {
    return this.#open.size
  }

  /** Counts once more, and says how often that was within this span, and how long it lasts. */
  add(key: string, now: number): { count: number; leftMs: number } {
    const open = this.#open.get(key)
    if (open !== undefined && open.endsAt > now) {
      open.count += 1
      return { count: open.count, leftMs: open.endsAt - now }
    }
    this.#open.delete(key)
    this.#open.set(key, { count: 1, endsAt: now + this.#windowMs })
    // The oldest window is the one that ends first.
    if (this.#open.size > this.#max) this.#open.delete(this.#open.keys().next().value!)
    return { count: 1, leftMs: this.#windowMs }
  }

  /** How often it happened in a span that has not ended, and how long that lasts. */
  look(key: string, now: number): { count: number; leftMs: number } {
    const open = this.#open.get(key)
    const leftMs = open === undefined ? 0 : open.endsAt - now
    return open === undefined || leftMs <= 0 ? { count: 0, leftMs: 0 } : { count: open.count, leftMs }
  }
}
