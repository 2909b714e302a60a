import type { RedisConnection } from './connection/connection.ts'

interface CounterLimit {
  readonly max: number
  readonly perMs: number
}

/**
 * Buckets of requests and tokens that all processes take from: the counters of a gateway's limits. Times are those of Redis,
 * so the clocks of the processes do not matter.
 *
 * @example
 * await openPolicy({ policy, counters: new RedisCounters(connection) })
 */
export class RedisCounters {
  readonly #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  /** Takes `cost` out of each bucket of a key if none of them is empty, otherwise nothing. */
  async take(
    key: string,
    cost: number,
    limits: readonly CounterLimit[],
  ): Promise<{ readonly allowed: boolean; readonly retryAfterMs: number }> {
    const retryAfterMs = await this.#run(key, cost, limits, 'take')
    return { allowed: retryAfterMs === 0, retryAfterMs }
  }

  /** Takes `cost` even out of empty buckets: for work that was done. */
  async charge(key: string, cost: number, limits: readonly CounterLimit[]): Promise<void> {
    await this.#run(key, cost, limits, 'charge')
  }

  async #run(key: string, cost: number, limits: readonly CounterLimit[], how: 'take' | 'charge'): Promise<number> {
    const args = [how, cost, ...limits.flatMap(({ max, perMs }) => [max, perMs])]
    return (await this.#redis.run('tenonTakeCounters', [this.#redis.keys.of('counters', key)], args)) as number
  }
}
