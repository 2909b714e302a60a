// A server over stdio, driven by this process through its pipes.
import { fifoChannel, nodeChannel } from '../lib/channel.mjs'
import { startProgram } from '../lib/child.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { initialize, initialized, legacy, modern } from '../lib/messages.mjs'
import { ChannelLoad } from '../load/channel-load.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { Lines } from '../load/frames.mjs'

await drive(async (job) => {
  const connections = new Map()

  /** A connection is of one revision, so that each has a process of its own. */
  async function connectionFor(revision) {
    if (!connections.has(revision)) connections.set(revision, await connect(job, revision))
    return connections.get(revision)
  }

  return {
    async sample({ era = 'session', revision = era === 'modern' ? modern : legacy, ...row }, milliseconds) {
      if (!canDo(job, { era, ...row })) return { unsupported: true }
      const connection = await connectionFor(revision)
      if (!connection.isSpoken) return { unsupported: true }
      const load = connection.loadFor(row)
      return sampleWithCpu(connection.server, () => load.run(milliseconds, row.inFlight ?? 1))
    },
    close: () => Promise.all([...connections.values()].map((one) => one.close())),
  }
})

function canDo({ stdioEras, exchanges, handlers }, { era, exchange = 'echo', handler = 'sync' }) {
  return (
    (stdioEras ?? [era]).includes(era) && (exchanges ?? [exchange]).includes(exchange) && handlers.includes(handler)
  )
}

async function connect(job, revision) {
  const era = revision === modern ? 'modern' : 'session'
  const channel = job.settings.fifo ? fifoChannel() : nodeChannel()
  const server = await startProgram(job, channel)
  const { input, output } = channel.of(server.process)
  const loads = new Map()
  let current = new ChannelLoad(input, Lines, [])
  output.on('data', (chunk) => current.push(chunk))
  server.process.on('exit', (code) => current.fail(new Error(`the server ended (${code})`)))
  let isSpoken = true
  if (era === 'session') {
    const params = { ...initialize.params, protocolVersion: revision }
    const { result } = await current.exchangeOnce({ ...initialize, params })
    isSpoken = result.protocolVersion === revision
    await current.exchangeOnce(initialized)
  }
  return {
    server,
    isSpoken,
    loadFor({ id, exchange = 'echo', ...rest }) {
      if (!loads.has(id)) {
        const exchanges = exchangesFor(exchange, era, { count: 4096, ...rest })
        const checked = exchanges.map(({ message, check }) => ({ message, check: (answer) => check([answer]) }))
        loads.set(id, new ChannelLoad(input, Lines, checked))
      }
      current = loads.get(id)
      return current
    },
    async close() {
      server.process.removeAllListeners('exit')
      server.exited = new Promise((resolve) => server.process.once('exit', resolve))
      await server.close()
      channel.close()
    },
  }
}
