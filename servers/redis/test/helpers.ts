import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, type ConnectOptions, connect, type ProcessTarget } from '@tenon/sdk/client'
import { createRedisServer, type RedisServerOptions } from '@tenon/server-redis'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { startRedis, type TestRedis, type TestRedisOptions } from '../../../scripts/test-redis.ts'

export const bin: string = fileURLToPath(new URL('../bin/tenon-redis.js', import.meta.url))

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-redis/package.json')
const { bin: originalBins } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { [name: string]: string } }
export const originalBin: string = join(dirname(manifest), Object.values(originalBins)[0]!)

const patienceMs = 60_000

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** Ends something after the test, the last first. */
export const atEnd = (end: () => unknown): void => void ending.push(end)

/** A Redis of one file of tests, and a client to look behind the server; empty before each test. */
export function redisForTests(options: TestRedisOptions = {}): { redis: TestRedis; raw: Redis } {
  const held = {} as { redis: TestRedis; raw: Redis }
  beforeAll(async () => {
    held.redis = await startRedis(options)
    held.raw = new Redis(held.redis.socket)
  })
  beforeEach(() => held.raw.flushall())
  afterAll(async () => {
    held.raw?.disconnect()
    await held.redis?.stop()
  })
  return held
}

/** A client of a server in this process. Its timeout decides nothing, also on a busy machine. */
export async function open(options: RedisServerOptions, connecting: ConnectOptions = {}): Promise<Client> {
  const { server, close } = createRedisServer({ timeout: patienceMs, ...options })
  const client = await connect(server, { revisions: ['2025-11-25'], ...connecting })
  atEnd(async () => {
    await client.close()
    await close()
  })
  return client
}

/** A client of a server in a process of its own. */
export async function start(target: ProcessTarget, connecting: ConnectOptions = {}): Promise<Client> {
  const client = await connect(target, { revisions: ['2025-11-25'], ...connecting })
  atEnd(() => client.close())
  return client
}

export const ours = (...args: string[]): ProcessTarget => ({
  command: process.execPath,
  args: [bin, '--timeout', `${patienceMs}ms`, ...args],
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into the answers
export async function call(client: Client, tool: string, args: object = {}): Promise<any> {
  const { structured, isError, text } = await client.callTool(tool, { ...args })
  if (isError) throw new Error(text)
  return structured
}

/** The message of an error for the model. */
export async function failing(client: Client, tool: string, args: object = {}): Promise<string> {
  const { isError, text } = await client.callTool(tool, { ...args })
  return isError ? text : `no error: ${text}`
}
