// The same server in two settings, in turns: the share of the speed of the one that the other has.
import { startServer } from '../lib/child.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { openLoad } from '../load/open-load.mjs'

/** How many requests each server answers before anything counts, or for how long: each row may start a process. */
const warmUp = 5000
const warmUpMs = 10_000

const compare = {
  rate: (sample, without) => sample.value / without.value,
  cpu: (sample, without) => without.cpu / sample.cpu,
  p99: (sample, without) => sample.p99 / without.p99,
}

await drive(async (job) => {
  const servers = new Map()
  const loads = new Map()

  async function serverWith(settings) {
    const key = JSON.stringify(settings)
    if (!servers.has(key)) servers.set(key, await startServer(job, { ...job.settings, ...settings }))
    return servers.get(key)
  }

  /** The server without the settings of the row, and the one with them. */
  async function pairFor({ id: _id, by: _by, targets: _targets, ...row }) {
    const key = JSON.stringify(row)
    if (loads.has(key)) return loads.get(key)
    const pair = []
    for (const settings of [row.base ?? {}, row.settings]) {
      const server = await serverWith(settings)
      const load = await openLoad(server.started, row)
      await load.run(warmUpMs, warmUp)
      pair.push({ server, load })
    }
    loads.set(key, pair)
    return pair
  }

  return {
    async sample(row, milliseconds) {
      const samples = []
      for (const { server, load } of await pairFor(row)) {
        samples.push(await sampleWithCpu(server, () => load.run(milliseconds / 2)))
      }
      const [without, sample] = samples
      const value = compare[row.by ?? 'rate'](sample, without)
      // The CPU time of workers is not that of the process that started them.
      return { ...sample, value, ...(row.settings.workers && { cpu: undefined }) }
    },
    async close() {
      for (const { load } of [...loads.values()].flat()) load.close()
      for (const server of servers.values()) await server.close()
    },
  }
})
