// The same server with one process and with two, in turn: the gain from the second one.
import { startHost } from '../lib/child.mjs'
import { drive } from '../lib/driver.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { HttpLoad } from '../load/http-load.mjs'

await drive(async ({ adapter, settings }) => {
  const servers = [
    await startHost(adapter, { ...settings, workers: 1 }),
    await startHost(adapter, { ...settings, workers: 2 }),
  ]
  const loads = new Map()

  async function loadsFor({ id, exchange, ...rest }) {
    if (loads.has(id)) return loads.get(id)
    const made = servers.map(
      ({ started }) => new HttpLoad(started.port, 'modern', exchangesFor(exchange, 'modern', rest)),
    )
    for (const load of made) await load.open(32)
    loads.set(id, made)
    return made
  }

  return {
    async sample(row, milliseconds) {
      const rates = []
      const before = process.cpuUsage()
      const started = performance.now()
      for (const load of await loadsFor(row)) {
        const { count, seconds } = await load.run(milliseconds / 2)
        rates.push(count / seconds)
      }
      const { user, system } = process.cpuUsage(before)
      return { value: rates[1] / rates[0], loadShare: (user + system) / 1000 / (performance.now() - started) }
    },
    async close() {
      for (const load of [...loads.values()].flat()) load.close()
      for (const server of servers) await server.close()
    },
  }
})
