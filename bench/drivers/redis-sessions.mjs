// The memory of many idle sessions: in Redis, and in a process that serves none of them.
import { startHost } from '../lib/child.mjs'
import { drive } from '../lib/driver.mjs'
import { missing, startRedis } from '../lib/redis.mjs'
import { HttpConnection } from '../load/http-connection.mjs'
import { openSession } from '../load/http-load.mjs'

const lanes = 20

await drive(async ({ adapter, settings, quick }) => {
  const redis = await startRedis()
  if (redis === undefined) return missing
  const shared = { ...settings, redisUrl: redis.url }
  const serving = await startHost(adapter, shared)
  const idle = await startHost(adapter, shared, ['--expose-gc'])
  const figures = await measure(redis, serving.started.port, idle, quick ? 2_000 : 10_000)
  return {
    sample: async ({ figure }) => ({ value: figures[figure] }),
    async close() {
      for (const server of [serving, idle]) await server.close()
      await redis.stop()
    },
  }
})

async function measure(redis, port, idle, sessions) {
  await openSessions(port, 200)
  const before = { redis: await redis.usedBytes(), idle: await settled(idle) }
  await openSessions(port, sessions)
  const after = { redis: await redis.usedBytes(), idle: await settled(idle) }
  return {
    redis: (after.redis - before.redis) / sessions / 1024,
    heap: (after.idle.heapUsed - before.idle.heapUsed) / sessions / 1024,
  }
}

async function settled(server) {
  await server.memory()
  await new Promise((resolve) => setTimeout(resolve, 300))
  return server.memory()
}

const openSessions = (port, count) =>
  Promise.all(
    Array.from({ length: lanes }, async () => {
      const connection = new HttpConnection(port, () => {})
      for (let i = 0; i < count / lanes; i++) await openSession(port, connection)
      connection.close()
    }),
  )
