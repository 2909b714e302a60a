import type { Rate, RateStore } from '@tenon/sdk/server'
import type { RedisConnection } from './connection/connection.ts'

/**
 * Counts what callers do in all processes together.
 *
 * @example
 * rateLimit({ 'tools/call': { perMinute: 60 } }, { store: new RedisRates(connection) })
 */
export class RedisRates implements RateStore {
  readonly #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  async take(key: string, { perMinute, burst = perMinute }: Rate): Promise<number> {
    // A rate that differs, as that of a newer version of the program, has uses of its own.
    const name = this.#redis.keys.of('rate', `${perMinute}/${burst} ${key}`)
    return (await this.#redis.run('tenonTakeUse', [name], [perMinute / 60_000, burst])) as number
  }
}
