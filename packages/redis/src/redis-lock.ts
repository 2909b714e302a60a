import type { Lock } from '@tenon/sdk/auth'
import { McpError } from '@tenon/sdk/server'
import { checkCount, type RedisConnection } from './connection/connection.ts'

export interface RedisLockOptions {
  /** A lock whose holder has not shown a sign of life for this long is free. Default 30 s. */
  staleMs?: number
}

/**
 * Lets one holder of a key in at a time, in all processes: for `oauth({ lock })`, where several processes renew the tokens
 * of one store. A holder that loses Redis for longer than `staleMs` may have company.
 */
export class RedisLock implements Lock {
  readonly #redis: RedisConnection
  readonly #staleMs: number

  constructor(redis: RedisConnection, { staleMs = 30_000 }: RedisLockOptions = {}) {
    checkCount('staleMs', staleMs)
    this.#redis = redis
    this.#staleMs = staleMs
  }

  async hold<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const name = this.#redis.keys.of('lock', key)
    const holder = crypto.randomUUID()
    await this.#take(name, holder, signal)
    const keep = (): unknown => this.#redis.run('tenonKeepLock', [name], [holder, this.#staleMs]).catch(() => {})
    const beat = setInterval(keep, this.#staleMs / 3).unref()
    try {
      return await work()
    } finally {
      clearInterval(beat)
      // A lock that cannot be freed now frees itself.
      await this.#redis.run('tenonFreeLock', [name], [holder]).catch(() => {})
    }
  }

  async #take(name: string, holder: string, signal: AbortSignal | undefined): Promise<void> {
    for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
      if (signal?.aborted) throw new McpError('cancelled', 'Nobody waits for the lock any more')
      if ((await this.#redis.call('SET', name, holder, 'NX', 'PX', this.#staleMs)) === 'OK') return
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
