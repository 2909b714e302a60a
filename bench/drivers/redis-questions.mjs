// A question of a handler to a client of 2025-11-25: in one process, and with the answer posted to another.
import { connect } from '@tenon/sdk/client'
import { startHost } from '../lib/child.mjs'
import { drive } from '../lib/driver.mjs'
import { missing, startRedis } from '../lib/redis.mjs'
import { median } from '../lib/stats.mjs'

await drive(async ({ adapter, settings }) => {
  const redis = await startRedis()
  if (redis === undefined) return missing
  const shared = { ...settings, responseMode: 'auto', redisUrl: redis.url }
  const alone = await startHost(adapter, { ...settings, responseMode: 'auto' })
  const pair = [await startHost(adapter, shared), await startHost(adapter, shared)]
  const clients = [await open([alone]), await open(pair)]
  return {
    async sample(_row, milliseconds) {
      const times = [[], []]
      const end = performance.now() + milliseconds
      while (performance.now() < end)
        for (const [index, client] of clients.entries()) times[index].push(await ask(client))
      return { value: median(times[1]) - median(times[0]) }
    },
    async close() {
      for (const client of clients) await client.close()
      for (const server of [alone, ...pair]) await server.close()
      await redis.stop()
    },
  }
})

/** Each request goes to the next server: the answer never comes to the one that asks. */
function open(servers) {
  let next = 0
  const inTurn = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    url.port = String(servers[next++ % servers.length].started.port)
    return fetch(url, init)
  }
  const elicit = () => ({ action: 'accept', content: { time: 'noon' } })
  const url = `http://127.0.0.1:${servers[0].started.port}/mcp`
  return connect(url, { revisions: ['2025-11-25'], fetch: inTurn, elicit })
}

async function ask(client) {
  const began = performance.now()
  const { text } = await client.callTool('book')
  if (text !== 'at noon') throw new Error(`expected "at noon", got ${JSON.stringify(text)}`)
  return performance.now() - began
}
