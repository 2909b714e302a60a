// A server over WebSocket, driven by this process with prebuilt frames on a raw socket.
import { connect } from 'node:net'
import { startHost } from '../lib/child.mjs'
import { drive, sampleWithCpu } from '../lib/driver.mjs'
import { initialize, initialized } from '../lib/messages.mjs'
import { ChannelLoad } from '../load/channel-load.mjs'
import { exchangesFor } from '../load/exchanges.mjs'
import { WebSocketFrames } from '../load/frames.mjs'

await drive(async ({ adapter, settings, execArgv }) => {
  const server = await startHost(adapter, settings, execArgv)
  const socket = await upgrade(server.started.port)
  const loads = new Map(['sync', 'async'].map((handler) => [handler, loadFor(socket, handler)]))
  let load = loads.get('sync')
  socket.on('data', (chunk) => load.push(chunk))
  socket.on('close', () => load.fail(new Error('the server closed the connection')))
  await load.exchangeOnce(initialize)
  await load.exchangeOnce(initialized)
  return {
    sample({ inFlight, handler }, milliseconds) {
      load = loads.get(handler)
      return sampleWithCpu(server, () => load.run(milliseconds, inFlight))
    },
    async close() {
      socket.removeAllListeners('close').destroy()
      await server.close()
    },
  }
})

function loadFor(socket, handler) {
  const exchanges = exchangesFor('echo', 'session', { count: 4096, handler })
  const checked = exchanges.map(({ message, check }) => ({ message, check: (answer) => check([answer]) }))
  return new ChannelLoad(socket, WebSocketFrames, checked)
}

async function upgrade(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.write(
    `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\n\r\n',
  )
  const [head] = await new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (data) => resolve([data.toString()]))
  })
  if (!head.startsWith('HTTP/1.1 101')) throw new Error(`no WebSocket: ${head.slice(0, 200)}`)
  return socket
}
