import { randomUUID } from 'node:crypto'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { listen } from '../../lib/listen.mjs'
import { EventStore } from '../sdk-v1/event-store.mjs'
import { definition } from './definition.mjs'

const transport = process.argv[2]
if (transport.startsWith('stdio')) serveStdio(() => definition())
else if (transport === 'http-2026') await serveModern()
else await serveSessions()

async function serveModern() {
  const handler = createMcpHandler(() => definition(handler.notify, true), { legacy: 'reject' })
  await listen(toNodeHandler(handler), '/mcp')
}

/** One server and one transport per session, as the documentation of the SDK does it. */
async function serveSessions() {
  const sessions = new Map()
  await listen(async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id'])
    if (known) return known.handleRequest(request, response)
    const own = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new EventStore(),
      onsessioninitialized: (id) => void sessions.set(id, own),
    })
    await definition().connect(own)
    await own.handleRequest(request, response)
  }, '/mcp')
}
