import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from 'mcp-lite'
import { z } from 'zod'

export async function start() {
  const mcp = new McpServer({ name: 'bench', version: '1.0.0', schemaAdapter: (schema) => z.toJSONSchema(schema) })
  const echo = { description: 'Says it again', inputSchema: z.object({ text: z.string() }) }
  mcp.tool('echo', { ...echo, handler: ({ text }) => ({ content: [{ type: 'text', text }] }) })
  const sessionAdapter = new InMemorySessionAdapter({ maxEventBufferSize: 256 })
  const handle = new StreamableHttpTransport({ sessionAdapter }).bind(mcp)
  const server = createServer(getRequestListener((request) => handle(request)))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port, eras: ['session'] }
}
