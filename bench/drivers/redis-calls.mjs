// The same server with everything in memory and with everything on Redis, in turn.
import { startHost } from '../lib/child.mjs'
import { drive } from '../lib/driver.mjs'
import { missing, startRedis } from '../lib/redis.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { HttpLoad } from '../load/http-load.mjs'

/** The other load of the machine changes from moment to moment. */
const turns = 4

await drive(async ({ adapter, settings }) => {
  const redis = await startRedis()
  if (redis === undefined) return missing
  const servers = [await startHost(adapter, settings), await startHost(adapter, { ...settings, redisUrl: redis.url })]
  const loads = new Map()

  async function loadsFor({ id, era, connections }) {
    if (loads.has(id)) return loads.get(id)
    const made = servers.map(({ started }) => new HttpLoad(started.port, era, exchangesFor('echo', era, {})))
    for (const load of made) await load.open(connections)
    loads.set(id, made)
    return made
  }

  return {
    async sample(row, milliseconds) {
      const rates = [0, 0]
      for (let turn = 0; turn < turns; turn++) {
        for (const [index, load] of (await loadsFor(row)).entries()) {
          const { count, seconds } = await load.run(milliseconds / turns / 2)
          rates[index] += count / seconds
        }
      }
      return { value: rates[1] / rates[0] }
    },
    async close() {
      for (const load of [...loads.values()].flat()) load.close()
      for (const server of servers) await server.close()
      await redis.stop()
    },
  }
})
