// The memory of a server for idle sessions, and whether it is freed.
import { request } from 'node:http'
import { startHost } from '../lib/child.mjs'
import { drive } from '../lib/driver.mjs'
import { sessionHeaders } from '../lib/messages.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { HttpConnection } from '../load/http-connection.mjs'
import { HttpLoad, openSession } from '../load/http-load.mjs'

const lanes = 20

await drive(async ({ implementation, adapter, settings, execArgv, quick }) => {
  const server = await startHost(adapter, settings, ['--expose-gc', ...execArgv])
  const { port } = server.started
  // Peers that take a millisecond for a call would take minutes for all of it.
  const figures = await measure(server, port, quick || implementation !== 'tenon')
  return { sample: async ({ figure }) => ({ value: figures[figure] }), close: () => server.close() }
})

async function measure(server, port, small) {
  const sessions = small ? 2000 : 10_000
  const calls = small ? 40_000 : 200_000
  await closeSessions(port, await openSessions(port, 500))
  const load = new HttpLoad(port, 'session', exchangesFor('echo', 'session', {}))
  await load.open(8)
  await load.run(60_000, small ? 20_000 : 50_000)
  const before = await settled(server)
  const opened = await openSessions(port, sessions)
  const open = await settled(server)
  await closeSessions(port, opened)
  const gone = await settled(server)
  await load.run(120_000, calls)
  const used = await settled(server)
  load.close()
  return {
    heap: (open.heapUsed - before.heapUsed) / sessions / 1024,
    rss: (open.rss - before.rss) / sessions / 1024,
    gone: (gone.heapUsed / before.heapUsed - 1) * 100,
    growth: (used.heapUsed / gone.heapUsed - 1) * 100,
  }
}

/** Memory after all work has ended. */
async function settled(server) {
  await server.memory()
  await new Promise((resolve) => setTimeout(resolve, 300))
  return server.memory()
}

async function openSessions(port, count) {
  const sessions = []
  await inParallel(async () => {
    const connection = new HttpConnection(port, () => {})
    for (let i = 0; i < count / lanes; i++) sessions.push(await openSession(port, connection))
    connection.close()
  })
  if (sessions.some(({ id }) => id === undefined)) throw new Error('the server has no sessions')
  return sessions
}

async function closeSessions(port, sessions) {
  const rest = [...sessions]
  await inParallel(async () => {
    for (let one = rest.pop(); one !== undefined; one = rest.pop()) await closeSession(port, one)
  })
}

const inParallel = (lane) => Promise.all(Array.from({ length: lanes }, lane))

function closeSession(port, session) {
  const headers = sessionHeaders(session)
  return new Promise((resolve, reject) => {
    const end = request({ port, host: '127.0.0.1', path: '/mcp', method: 'DELETE', headers }, (response) => {
      response.resume().on('end', resolve)
    })
    end.on('error', reject).end()
  })
}
