// Tasks per second: made by 32 at once, and run by a worker of the same process.
import { pathToFileURL } from 'node:url'
import { drive } from '../lib/driver.mjs'
import { missing, startRedis } from '../lib/redis.mjs'

const lanes = 32
const batch = 200

await drive(async ({ adapter }) => {
  const redis = await startRedis()
  if (redis === undefined) return missing
  const { start } = await import(pathToFileURL(adapter).href)
  const tasks = await start({ redisUrl: redis.url, concurrency: 20 })
  return {
    async sample(_row, milliseconds) {
      const began = performance.now()
      let count = 0
      while (performance.now() - began < milliseconds) {
        await tasks.run(batch, lanes)
        count += batch
      }
      return { value: (count / (performance.now() - began)) * 1_000 }
    },
    async close() {
      await tasks.close()
      await redis.stop()
    },
  }
})
