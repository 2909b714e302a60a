import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { UsedIds } from '../../../internal/used-ids.ts'

/** Remembers proofs that were used. One that several processes share belongs into `dpop.replays`. */
export interface ReplayStore {
  /** Remembers an id until a time in ms since 1970. False if it is remembered already. */
  add(id: string, until: number): MaybePromise<boolean>
}

/** In the memory of this process: when there are too many, the window of proofs that are taken gets shorter. */
export class MemoryReplays extends UsedIds implements ReplayStore {
  /** `now` is the clock, in ms since 1970. Default: `Date.now`. */
  constructor(max = 100_000, now?: () => number) {
    super({ max, ...(now && { now }) })
  }
}
