// A server on the official SDK, from 0.5.0 to the last of version 1, over each of its transports.
import { randomUUID } from 'node:crypto'
import { restartUrl } from '../../lib/control.mjs'
import { listen } from '../../lib/listen.mjs'
import { definition } from './definition.mjs'
import { EventStore } from './event-store.mjs'
import { serveProtected } from './protected.mjs'

const [, , transport, name] = process.argv
const from = (path) => import(`${name}/${path}`)

const serve = { stdio: serveStdio, http: serveHttp, sse: serveSse }
await serve[transport]()

async function serveStdio() {
  const { StdioServerTransport } = await from('server/stdio.js')
  await (await definition(from)).connect(new StdioServerTransport())
}

/** One server and one transport per session, as in the documentation of the SDK. */
async function serveHttp() {
  const { StreamableHTTPServerTransport } = await from('server/streamableHttp.js')
  const sessions = new Map()
  const handle = async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id'])
    if (known) return known.handleRequest(request, response)
    const own = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new EventStore(),
      onsessioninitialized: (id) => void sessions.set(id, own),
    })
    await (await definition(from)).connect(own)
    await own.handleRequest(request, response)
  }
  const more = {
    restartUrl: await restartUrl(() => sessions.clear()),
    protectedUrl: await serveProtected(handle, from),
  }
  await listen(handle, '/mcp', more)
}

async function serveSse() {
  const { SSEServerTransport } = await from('server/sse.js')
  const sessions = new Map()
  await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://here')
    if (request.method === 'GET' && pathname === '/sse') {
      const own = new SSEServerTransport('/messages', response)
      sessions.set(own.sessionId, own)
      return (await definition(from)).connect(own)
    }
    const known = sessions.get(searchParams.get('sessionId'))
    if (request.method === 'POST' && pathname === '/messages' && known)
      return known.handlePostMessage(request, response)
    response.writeHead(404).end('Not found')
  }, '/sse')
}
