// The memory of a server for an open event stream: the one that a client of 2025 opens by GET.
import { connect } from 'node:net'
import { startHost } from '../lib/child.mjs'
import { drive } from '../lib/driver.mjs'
import { sessionHeaders } from '../lib/messages.mjs'
import { HttpConnection } from '../load/http-connection.mjs'
import { openSession } from '../load/http-load.mjs'

await drive(async ({ adapter, settings, execArgv, quick }) => {
  const server = await startHost(adapter, settings, ['--expose-gc', ...execArgv])
  const { port } = server.started
  const count = quick ? 300 : 1000
  const sockets = await openStreams(port, 50)
  const before = await server.memory()
  sockets.push(...(await openStreams(port, count)))
  const after = await server.memory()
  const heldBy = ({ heapUsed, external }) => heapUsed + external
  const figures = {
    heap: (heldBy(after) - heldBy(before)) / count / 1024,
    rss: (after.rss - before.rss) / count / 1024,
  }
  return {
    sample: async ({ figure }) => ({ value: figures[figure] }),
    close() {
      for (const socket of sockets) socket.destroy()
      return server.close()
    },
  }
})

async function openStreams(port, count) {
  const connection = new HttpConnection(port, () => {})
  const sockets = []
  while (sockets.length < count) sockets.push(await openStream(port, await openSession(port, connection)))
  connection.close()
  return sockets
}

function openStream(port, session) {
  const socket = connect(port, '127.0.0.1')
  const headers = Object.entries(sessionHeaders(session)).map(([name, value]) => `${name}: ${value}\r\n`)
  const start = `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n`
  socket.write(`${start}${headers.join('')}\r\n`)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('data', (data) => {
      if (data.toString().startsWith('HTTP/1.1 200')) resolve(socket)
      else reject(new Error(`no stream: ${data.toString().slice(0, 200)}`))
    })
  })
}
