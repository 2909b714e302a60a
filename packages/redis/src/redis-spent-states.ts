import type { SpentStates } from '@tenon/sdk/server'
import type { RedisConnection } from './connection/connection.ts'

/** Clocks of two machines may differ by this much: a state that one of them still takes is still known to be used. */
const clockSlackMs = 60_000

/** The states of requests that were used, in whichever process. */
export class RedisSpentStates implements SpentStates {
  readonly #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  async spend(id: string, until: number): Promise<boolean> {
    const keptMs = Math.max(0, Math.ceil(until - Date.now())) + clockSlackMs
    return (await this.#redis.call('SET', this.#key(id), '1', 'NX', 'PX', keptMs)) === 'OK'
  }

  async release(id: string): Promise<void> {
    await this.#redis.call('DEL', this.#key(id))
  }

  #key(id: string): string {
    return this.#redis.keys.of('spent', id)
  }
}
