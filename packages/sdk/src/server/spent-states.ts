/**
 * Remembers which states have been used, so that each is good for one round. Servers that answer for each other share
 * one; a method may answer at once or later.
 */
export interface SpentStates {
  /** False if the state was used before. It has to be remembered until then (milliseconds since 1970). */
  spend(id: string, until: number): boolean | Promise<boolean>
  /** The round came to nothing: its state may be used again. */
  release(id: string): void | Promise<void>
}

/** For one process. Its size is bounded: the oldest are forgotten first, and expire soon anyway. */
export class MemorySpentStates implements SpentStates {
  readonly #until = new Map<string, number>()
  readonly #max: number

  constructor({ max = 100_000 }: { max?: number } = {}) {
    this.#max = max
  }

  spend(id: string, until: number): boolean {
    const now = Date.now()
    if ((this.#until.get(id) ?? 0) >= now) return false
    this.#forget(now)
    this.#until.set(id, until)
    return true
  }

  release(id: string): void {
    this.#until.delete(id)
  }

  // All states live equally long, so those at the front are the first to expire.
  #forget(now: number): void {
    for (const [id, until] of this.#until) {
      if (until >= now && this.#until.size < this.#max) return
      this.#until.delete(id)
    }
  }
}
