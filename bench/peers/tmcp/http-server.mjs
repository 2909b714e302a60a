import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { HttpTransport } from '@tmcp/transport-http'
import { definition } from './definition.mjs'

export async function start({ responseMode, ...settings }) {
  const transport = new HttpTransport(definition(settings), { path: '/mcp', disableSse: responseMode === 'json' })
  const listener = getRequestListener((request) => transport.respond(request))
  const server = createServer(listener)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port, exchanges: ['echo', 'text', 'list'] }
}
