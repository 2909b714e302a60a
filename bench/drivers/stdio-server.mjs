// A server over stdio, driven by this process through its pipes.
import { startProgram } from '../lib/child.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { initialize, initialized } from '../lib/messages.mjs'
import { ChannelLoad } from '../load/channel-load.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { Lines } from '../load/frames.mjs'

await drive(async ({ adapter, settings, execArgv }) => {
  const server = startProgram(adapter, settings, execArgv)
  let current
  server.process.stdout.on('data', (chunk) => current?.push(chunk))
  server.process.on('exit', (code) => current?.fail(new Error(`the server ended (${code})`)))
  const loads = new Map()

  async function loadFor({ id, exchange = 'echo', ...rest }) {
    if (loads.size === 0) {
      // One connection has one handshake; all implementations have sessions over stdio.
      current = new ChannelLoad(server.process.stdin, Lines, [])
      await current.exchangeOnce(initialize)
      await current.exchangeOnce(initialized)
    }
    if (!loads.has(id)) {
      const exchanges = exchangesFor(exchange, 'session', { count: 4096, ...rest })
      const checked = exchanges.map(({ message, check }) => ({ message, check: (answer) => check([answer]) }))
      loads.set(id, new ChannelLoad(server.process.stdin, Lines, checked))
    }
    return loads.get(id)
  }

  return {
    async sample(row, milliseconds) {
      current = await loadFor(row)
      return sampleWithCpu(server, () => current.run(milliseconds, row.inFlight ?? 1))
    },
    close() {
      server.process.removeAllListeners('exit')
      server.exited = new Promise((resolve) => server.process.once('exit', resolve))
      return server.close()
    },
  }
})
