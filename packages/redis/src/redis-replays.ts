import type { RedisConnection } from './connection/connection.ts'
import { RedisSpentStates } from './redis-spent-states.ts'

/** DPoP proofs that were used, in whichever process: for `dpop.replays` of `protectedBy` and of an authorization server. */
export class RedisReplays {
  readonly #spent: RedisSpentStates

  constructor(redis: RedisConnection) {
    this.#spent = new RedisSpentStates(redis)
  }

  /** Remembers a proof until a time in ms since 1970. False if it is remembered already. */
  add(id: string, until: number): Promise<boolean> {
    // An id of its own: a proof and a state may have the same.
    return this.#spent.spend(`dpop/${id}`, until)
  }
}
