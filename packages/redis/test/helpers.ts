import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { startRedis, type TestRedis, type TestRedisOptions } from '../../../scripts/test-redis.ts'
import { RedisConnection, type RedisConnectionOptions } from '../src/index.ts'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** Ends something after the test, the last first. */
export const atEnd = (end: () => unknown): void => void ending.push(end)

export interface Held {
  redis: TestRedis
  /** A client to look behind the stores. */
  raw: Redis
}

/** A Redis of one file of tests; empty before each test. */
export function redisForTests(options: TestRedisOptions = {}): Held {
  const held = {} as Held
  beforeAll(async () => {
    held.redis = await startRedis(options)
    held.raw = new Redis(held.redis.socket)
    held.raw.on('error', () => {})
  })
  beforeEach(() => held.raw.flushall())
  afterAll(async () => {
    held.raw?.disconnect()
    await held.redis?.stop()
  })
  return held
}

/** A connection like that of a process. Its timeout decides nothing, also on a busy machine. */
export function open(url: string, options: RedisConnectionOptions = {}): RedisConnection {
  const connection = new RedisConnection(url, { timeoutMs: 30_000, ...options })
  atEnd(() => connection.close())
  return connection
}

/** Cuts all connections but that of the client. */
export async function cutConnections({ raw }: Held): Promise<void> {
  await raw.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  await raw.client('KILL', 'TYPE', 'pubsub')
}

/** The reason for which something failed; undefined if it did not. */
export const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
