// A client under test runs in this process; the server that it calls is the limit, in a process of its own.
import { pathToFileURL } from 'node:url'
import { startHost } from '../lib/child.mjs'
import { drive, quantilesOf } from '../lib/driver.mjs'
import { texts } from '../lib/messages.mjs'
import { Latencies } from '../load/latencies.mjs'

const said = texts(64)

await drive(async ({ adapter, reference, settings }) => {
  const { open } = await import(pathToFileURL(adapter).href)
  const { target, stop } = await startTarget(settings, reference)
  const client = await open(target)
  return {
    sample: ({ inFlight = 1 }, milliseconds) => run(client, inFlight, milliseconds),
    async close() {
      await client.close()
      await stop()
    },
  }
})

async function startTarget({ server, scheme = 'http', ...settings }, reference) {
  if (server === undefined) return { target: {}, stop() {} }
  const path = new URL(`${server}.mjs`, pathToFileURL(reference)).pathname
  if (server === 'stdio-server') return { target: { command: process.execPath, args: [path] }, stop() {} }
  const host = await startHost(path, settings)
  return { target: { url: `${scheme}://127.0.0.1:${host.started.port}/mcp` }, stop: () => host.close() }
}

async function run(client, inFlight, milliseconds) {
  const latencies = new Latencies()
  let count = 0
  const before = process.cpuUsage()
  const started = performance.now()
  const end = started + milliseconds
  const loop = async (offset) => {
    for (let i = offset, now = performance.now(); now < end; i++) {
      const text = said[i & 63]
      const found = await client.call(text)
      if (found !== text) throw new Error(`wrong answer: expected ${text}, got ${found}`)
      count++
      const sentAt = now
      now = performance.now()
      latencies.add(now - sentAt)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, i) => loop(i)))
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(before)
  return { value: count / seconds, cpu: (user + system) / count, ...quantilesOf(latencies) }
}
