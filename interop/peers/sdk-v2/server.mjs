import { randomUUID } from 'node:crypto'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { restartUrl } from '../../lib/control.mjs'
import { listen } from '../../lib/listen.mjs'
import { EventStore } from '../sdk-v1/event-store.mjs'
import { definition } from './definition.mjs'
import { serveProtected } from './protected.mjs'

const transport = process.argv[2]
if (transport.startsWith('stdio')) serveStdio(() => definition())
else if (transport === 'http-2026') await serveModern()
else await serveSessions()

async function serveModern() {
  const handler = createMcpHandler(() => definition(handler.notify, true), { legacy: 'reject' })
  const protectedUrl = await serveProtected((request, authInfo) => handler.fetch(request, { authInfo }))
  await listen(toNodeHandler(handler), '/mcp', { protectedUrl })
}

/** One server and one transport per session, as in the documentation of the SDK. */
async function serveSessions() {
  const sessions = new Map()
  const handle = async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id'])
    if (known) return known.handleRequest(request, response)
    const own = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new EventStore(),
      onsessioninitialized: (id) => void sessions.set(id, own),
    })
    await definition().connect(own)
    await own.handleRequest(request, response)
  }
  const more = { restartUrl: await restartUrl(() => sessions.clear()), protectedUrl: await serveProtected(sessionOf()) }
  await listen(handle, '/mcp', more)
}

/** The same on `fetch`, for which the SDK checks tokens. */
function sessionOf() {
  const sessions = new Map()
  return async (request, authInfo) => {
    const known = sessions.get(request.headers.get('mcp-session-id'))
    if (known) return known.handleRequest(request, { authInfo })
    const own = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, own),
    })
    await definition().connect(own)
    return own.handleRequest(request, { authInfo })
  }
}
