interface Window {
  count: number
  endsAt: number
}

/** Counts events within windows of time, by key, in bounded memory. */
export class Windows {
  readonly #windowMs: number
  readonly #max: number
  readonly #open = new Map<string, Window>()

  /** At most `max` keys are kept: the window that ends first makes room. */
  constructor(windowMs: number, max: number) {
    this.#windowMs = windowMs
    this.#max = max
  }

  get size(): number {
    return this.#open.size
  }

  /** Counts an event; returns the count within this window, and the time that is left of it. */
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

  /** The count within the current window, and the time that is left of it. */
  look(key: string, now: number): { count: number; leftMs: number } {
    const open = this.#open.get(key)
    const leftMs = open === undefined ? 0 : open.endsAt - now
    return open === undefined || leftMs <= 0 ? { count: 0, leftMs: 0 } : { count: open.count, leftMs }
  }
}
