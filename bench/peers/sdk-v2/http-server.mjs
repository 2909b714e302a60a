import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { definition } from './definition.mjs'

export async function start({ responseMode = 'auto', ...settings }) {
  const limit = { maxRequestBodySize: 64 * 1024 * 1024 }
  const handler = createMcpHandler(() => definition(settings), { responseMode, ...limit })
  const forModern = toNodeHandler(handler, limit)
  const forSessions = sessionHandler(settings, responseMode !== 'sse')
  const server = createServer((request, response) => {
    if (request.headers['mcp-protocol-version'] === '2026-07-28') return void forModern(request, response)
    void forSessions(request, response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port }
}

/** One server and one transport per session, as in the documentation of the SDK. */
function sessionHandler(settings, enableJsonResponse) {
  const transports = new Map()
  return async (request, response) => {
    const known = transports.get(request.headers['mcp-session-id'])
    if (known) return known.handleRequest(request, response)
    const transport = new NodeStreamableHTTPServerTransport({
      enableJsonResponse,
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    })
    await definition(settings).connect(transport)
    await transport.handleRequest(request, response)
  }
}
