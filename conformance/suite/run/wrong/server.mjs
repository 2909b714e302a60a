// A server that is wrong on purpose: every request succeeds, with nothing in the answer.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

const server = createServer(async (request, response) => {
  const { id = null } = request.method === 'POST' ? await json(request) : {}
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
})
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}/mcp`))
process.once('SIGTERM', () => process.exit())
