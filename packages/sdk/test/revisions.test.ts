import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fetchHandler } from '../src/http.ts'
import { openHttp } from '../src/http-client/open-http.ts'
import { serveHttp } from '../src/node.ts'
import { serveSocket, socketChannel } from '../src/socket.ts'
import { stdioChannel } from '../src/stdio.ts'
import { memoryPair } from '../src/testing.ts'
import { serveWebSocket, webSocketChannel } from '../src/websocket.ts'
import { revisionSuite } from './revisions.suite.ts'

const nothing = async (): Promise<void> => {}
let sockets = 0

revisionSuite('in memory', async (server) => ({
  open: () => {
    const [near, far] = memoryPair()
    server.connect(far, { transport: 'memory' })
    return near
  },
  close: nothing,
}))

revisionSuite('stdio', async (server) => ({
  open: () => {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()]
    server.connect(stdioChannel({ input: toServer, output: toClient }), { transport: 'stdio' })
    return stdioChannel({ input: toClient, output: toServer })
  },
  close: nothing,
}))

revisionSuite('HTTP on Node', async (server) => {
  const http = await serveHttp(server)
  return { open: () => openHttp(http.url), close: http.close }
})

revisionSuite('HTTP through fetch', async (server) => {
  const handler = fetchHandler(server)
  const call: typeof fetch = (input, init) => handler(new Request(input, init))
  return { open: () => openHttp('http://localhost/mcp', { fetch: call }), close: () => handler.close() }
})

revisionSuite('WebSocket', async (server) => {
  const listening = await serveWebSocket(server, { port: 0 })
  return { open: () => webSocketChannel(listening.url!), close: () => listening.close() }
})

revisionSuite('Unix socket', async (server) => {
  const path = join(tmpdir(), `tenon-revisions-${process.pid}-${++sockets}.sock`)
  const listening = await serveSocket(server, { path })
  return { open: () => socketChannel({ path }), close: () => listening.close() }
})

revisionSuite('TCP socket', async (server) => {
  const listening = await serveSocket(server, { port: 0 })
  const { port } = listening.address as { port: number }
  return { open: () => socketChannel({ port }), close: () => listening.close() }
})
