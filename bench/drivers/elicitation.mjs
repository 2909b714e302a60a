// A question on 2026-07-28: the call, the answer to its question in a second call. What that costs over two plain calls.
import { startHost } from '../lib/child.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { checkEcho, headersFor, postBytes, request, toolCall } from '../lib/messages.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { HttpConnection } from '../load/http-connection.mjs'
import { exchangeOnce, HttpLoad } from '../load/http-load.mjs'

const connections = 8

await drive(async ({ adapter, settings, execArgv }) => {
  const server = await startHost(adapter, settings, execArgv)
  const { port } = server.started
  const plain = new HttpLoad(port, 'modern', exchangesFor('echo', 'modern', {}))
  await plain.open(connections)
  const open = Array.from({ length: connections }, () => new HttpConnection(port, () => {}))
  return {
    async sample({ tool }, milliseconds) {
      const asking = await sampleWithCpu(server, () => askFor(port, tool, open, milliseconds / 2))
      const { cpu } = await sampleWithCpu(server, () => plain.run(milliseconds / 2))
      return { value: asking.cpu - 2 * cpu }
    },
    async close() {
      plain.close()
      for (const connection of open) connection.close()
      await server.close()
    },
  }
})

async function askFor(port, tool, connections, milliseconds) {
  const started = performance.now()
  const end = started + milliseconds
  let count = 0
  const loop = async (connection) => {
    while (performance.now() < end) {
      await askOnce(port, tool, connection, count++)
    }
  }
  await Promise.all(connections.map(loop))
  return { count, seconds: (performance.now() - started) / 1000 }
}

async function askOnce(port, tool, connection, id) {
  const call = toolCall('modern', id, tool, {})
  const first = await post(port, connection, call)
  const { inputRequests, requestState } = first.result ?? {}
  const [key] = Object.keys(inputRequests ?? {})
  if (key === undefined || typeof requestState !== 'string') throw new Error(`no question: ${JSON.stringify(first)}`)
  const answers = { [key]: { action: 'accept', content: { time: `${id}` } } }
  const params = { name: tool, arguments: {}, inputResponses: answers, requestState }
  const second = await post(port, connection, request('modern', id, 'tools/call', params))
  checkEcho(second, id, `at ${id}`)
}

async function post(port, connection, message) {
  const { messages } = await exchangeOnce(connection, postBytes(port, message, headersFor('modern', message)))
  return messages.at(-1)
}
