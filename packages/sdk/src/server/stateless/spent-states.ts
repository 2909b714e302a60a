import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { UsedIds } from '../../internal/used-ids.ts'

/**
 * Remembers which states have been used, so that each is good for one round. Servers that answer for each other share
 * one; a method may answer at once or later.
 */
export interface SpentStates {
  /** False if the state was used before. It has to be remembered until then (milliseconds since 1970). */
  spend(id: string, until: number): MaybePromise<boolean>
  /** The round came to nothing: its state may be used again. */
  release(id: string): MaybePromise<void>
}

/** For one process. Its size is bounded: a flood makes states expire sooner, and none is good twice. */
export class MemorySpentStates implements SpentStates {
  readonly #used: UsedIds

  constructor({ max = 100_000 }: { max?: number } = {}) {
    this.#used = new UsedIds({ max })
  }

  spend(id: string, until: number): boolean {
    return this.#used.add(id, until)
  }

  release(id: string): void {
    this.#used.delete(id)
  }
}
