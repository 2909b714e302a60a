// A server over HTTP, driven over raw sockets from this process.
import { startHost } from '../lib/child.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { HttpLoad } from '../load/http-load.mjs'

await drive(async ({ adapter, settings, execArgv }) => {
  const server = await startHost(adapter, settings, execArgv)
  const loads = new Map()

  async function loadFor({ id, era = 'modern', connections = 1, exchange = 'echo', ...rest }) {
    if (loads.has(id)) return loads.get(id)
    const load = new HttpLoad(server.started.port, era, exchangesFor(exchange, era, rest))
    await load.open(connections)
    loads.set(id, load)
    return load
  }

  return {
    async sample(row, milliseconds) {
      if (!canDo(server.started, row)) return { unsupported: true }
      const load = await loadFor(row)
      const factor = row.operations ?? 1
      const sample = await sampleWithCpu(server, () => load.run(milliseconds))
      return { ...sample, value: sample.value * factor, cpu: sample.cpu / factor }
    },
    async close() {
      for (const load of loads.values()) load.close()
      await server.close()
    },
  }
})

/** An adapter may name the only eras that it has, or the only exchanges that it answers. */
function canDo({ eras, exchanges }, { era = 'modern', exchange = 'echo' }) {
  return (eras?.includes(era) ?? true) && (exchanges?.includes(exchange) ?? true)
}
