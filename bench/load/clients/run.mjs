// A client in a process of its own: reads `{ open }` and `{ run }` as lines, and writes results as lines.
import { createInterface } from 'node:readline'
import { exchangesFor } from '../exchanges.mjs'
import { HttpLoad } from '../http-load.mjs'
import { CallLoad } from './call-load.mjs'
import { openFetch } from './fetch.mjs'
import { openNodeHttp } from './node-http.mjs'

const clients = new Map([
  ['fetch', openFetch],
  ['node-http', openNodeHttp],
])

let load

async function open({ client, port, era, connections, exchange, settings }) {
  const exchanges = exchangesFor(exchange, era, settings)
  const openClient = clients.get(client)
  load = openClient ? new CallLoad(openClient(port, connections), exchanges) : new HttpLoad(port, era, exchanges)
  await load.open(connections)
  return { ready: true }
}

async function run(milliseconds) {
  const before = process.cpuUsage()
  const { count, seconds, latencies } = await load.run(milliseconds)
  const { user, system } = process.cpuUsage(before)
  return { count, seconds, counts: [...latencies.counts], loadSeconds: (user + system) / 1e6 }
}

const lines = createInterface({ input: process.stdin })
for await (const line of lines) {
  const job = JSON.parse(line)
  const result = await (job.open ? open(job.open) : run(job.run)).catch(({ stack }) => ({ failure: stack }))
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
