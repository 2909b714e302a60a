import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerSpec } from '../src/protocol.ts'

interface RawServer extends AsyncDisposable {
  spec: ServerSpec
  /** The bodies that it got, as texts. */
  readonly bodies: readonly string[]
}

const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } }
const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } }

/** A server over HTTP that answers each tool with a text of its own, whatever it is; `ID` in it stands for the id. */
export async function rawServer(answers: { readonly [tool: string]: string }): Promise<RawServer> {
  const bodies: string[] = []
  const tools = Object.keys(answers).map((name) => ({ name, inputSchema }))
  const http = createServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      bodies.push(body)
      const { id, method, params } = JSON.parse(body)
      if (id === undefined) return response.writeHead(202).end()
      const result = method === 'initialize' ? info : method === 'tools/list' ? { tools } : {}
      const answer = method === 'tools/call' ? answers[params.name] : JSON.stringify({ jsonrpc: '2.0', id, result })
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer!.replace('ID', String(id)))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const spec: ServerSpec = { kind: 'url', name: 'raw', url, revision: '2025-06-18' }
  const close = (): Promise<void> => {
    http.closeAllConnections()
    return new Promise((resolve) => http.close(() => resolve()))
  }
  return { spec, bodies, [Symbol.asyncDispose]: close }
}
