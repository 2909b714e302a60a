import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { definition } from './definition.mjs'

export async function start({ responseMode = 'auto' }) {
  const transports = new Map()
  const server = createServer(async (request, response) => {
    const known = transports.get(request.headers['mcp-session-id'])
    if (known) return known.handleRequest(request, response)
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: responseMode !== 'sse',
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    })
    await definition().connect(transport)
    await transport.handleRequest(request, response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port, eras: ['session'] }
}
