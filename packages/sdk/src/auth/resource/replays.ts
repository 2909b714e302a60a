import { UsedIds } from '../../used-ids.ts'

/** Remembers proofs that were used. One that several processes share belongs into `dpop.replays`. */
export interface ReplayStore {
  /** Remembers an id until a time in ms since 1970. False if it is remembered already. */
  add(id: string, until: number): boolean | Promise<boolean>
}

/** In the memory of this process; the oldest makes room when there are too many. */
export class MemoryReplays implements ReplayStore {
  readonly #used: UsedIds

  constructor(max = 100_000) {
    this.#used = new UsedIds(max)
  }

  get size(): number {
    return this.#used.size
  }

  add(id: string, until: number): boolean {
    return this.#used.add(id, until)
  }
}
