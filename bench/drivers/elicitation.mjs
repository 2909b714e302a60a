// A form elicitation on 2026-07-28: the call, and a second call with the answer. Its cost over two plain calls.
import { startHost } from '../lib/child.mjs'
import { drive } from '../lib/driver.mjs'
import { checkEcho, headersFor, postBytes, request, toolCall } from '../lib/messages.mjs'
import { HttpConnection } from '../load/http-connection.mjs'
import { exchangeOnce } from '../load/http-load.mjs'

const connections = 8
/** Both are measured in turns, because the other load of the machine changes from moment to moment. */
const turns = 4
/** How often both happen before anything counts: compiling takes the CPU time of many rounds. */
const warmUp = 2000

await drive(async ({ adapter, settings, execArgv }) => {
  const server = await startHost(adapter, settings, execArgv)
  const { port } = server.started
  const open = Array.from({ length: connections }, () => new HttpConnection(port, () => {}))
  const callTwice = (connection, id) => callBoth(port, connection, id)
  const warm = new Set()
  return {
    async sample({ tool }, milliseconds) {
      const ask = (connection, id) => askOnce(port, tool, connection, id)
      if (!warm.has(tool)) for (const operate of [ask, callTwice]) await operateOften(open, operate, warmUp)
      warm.add(tool)
      const asking = { seconds: 0, count: 0 }
      const plain = { seconds: 0, count: 0 }
      for (let turn = 0; turn < turns; turn++) {
        await addCpu(asking, server, open, milliseconds / turns / 2, ask)
        await addCpu(plain, server, open, milliseconds / turns / 2, callTwice)
      }
      return { value: cpuOf(asking) - cpuOf(plain) }
    },
    async close() {
      for (const connection of open) connection.close()
      await server.close()
    },
  }
})

const cpuOf = ({ seconds, count }) => (seconds / count) * 1e6

/** Adds the CPU time of a server for the operations of all connections within a time, each after the one before it. */
async function addCpu(sum, server, connections, milliseconds, operate) {
  const before = await server.cpuSeconds()
  const end = performance.now() + milliseconds
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) await operate(connection, sum.count++)
    }),
  )
  sum.seconds += (await server.cpuSeconds()) - before
}

async function operateOften(connections, operate, times) {
  let count = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (count < times) await operate(connection, count++)
    }),
  )
}

/** As often over the wire, from the same process: the CPU time also depends on the rate of requests. */
async function callBoth(port, connection, id) {
  for (const text of [`a ${id}`, `b ${id}`]) {
    checkEcho(await post(port, connection, toolCall('modern', id, 'echo', { text })), id, text)
  }
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
