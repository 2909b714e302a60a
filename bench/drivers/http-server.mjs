// A server over HTTP, driven over raw sockets from this process, or by clients in processes of their own.
import { startServer } from '../lib/child.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { openLoad } from '../load/open-load.mjs'

await drive(async (job) => {
  const server = await startServer(job, job.settings)
  let current

  /** One load at a time: idle connections of other rows would be in the memory of this one. */
  async function loadFor(row) {
    if (current?.id === row.id) return current.load
    await current?.load.close?.()
    current = { id: row.id, load: await openLoad(server.started, row) }
    return current.load
  }

  return {
    async sample(row, milliseconds) {
      if (!canDo(job, server.started, row)) return { unsupported: true }
      const load = await loadFor(row)
      if (load.unavailable) return load
      const factor = row.operations ?? 1
      const sample = await sampleWithCpu(server, () => load.run(milliseconds))
      return { ...sample, value: sample.value * factor, cpu: sample.cpu / factor }
    },
    async close() {
      await current?.load.close?.()
      await server.close()
    },
  }
})

/** An adapter may name the only eras that it has, or the only exchanges that it answers. */
function canDo(job, started, { era = 'modern', exchange = 'echo', handler = 'sync' }) {
  const { eras = [era], exchanges = job.exchanges ?? [exchange] } = started
  return eras.includes(era) && exchanges.includes(exchange) && job.handlers.includes(handler)
}
