import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Revision, type Target, type TrafficEvent } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { serveWebSocket } from '@tenon/sdk/websocket'
import { describe, expect, test } from 'vitest'
import { writeJson } from '../src/transport/write-json.ts'

const long = 12345678901234567890n
const input = { type: 'object', properties: { n: { type: 'integer' } } }
const echo = createServer({ name: 'echo', version: '1.0.0', tools: [tool({ name: 'echo', input, run: () => 'done' })] })

const program = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } }
    const result = method === 'initialize' ? info : { content: [{ type: 'text', text: line }] }
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  })`

async function sentOver(target: Target, revision: Revision): Promise<string | undefined> {
  const events: TrafficEvent[] = []
  await using client = await connect(target, { revisions: [revision], onMessage: (event) => events.push(event) })
  const result = await client.callTool('echo', { n: long, list: [-long] })
  const sent = events.find(({ from, payload }) => from === 'client' && JSON.stringify(payload)?.includes('tools/call'))
  expect(sent).toMatchObject({ payload: { params: { arguments: { n: Number(long) } } } })
  const text = (sent as { text?: string }).text
  // A server that answers with the line that it got shows that it is the same.
  const [block] = result.content
  if (block?.type === 'text' && block.text !== 'done') expect(block.text).toBe(text)
  return text
}

describe('a bigint in arguments is sent with all its digits', () => {
  const exact = expect.stringContaining('"arguments":{"n":12345678901234567890,"list":[-12345678901234567890]}')

  test('over stdio', async () => {
    expect(await sentOver({ command: process.execPath, args: ['-e', program] }, '2025-06-18')).toEqual(exact)
  })

  test.each<Revision>(['2025-06-18', '2026-07-28'])('over HTTP in %s', async (revision) => {
    const bodies: string[] = []
    await using http = await serveHttp(echo, { port: 0 })
    const front = createHttpServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const body = Buffer.concat(parts)
      bodies.push(body.toString())
      const headers = { ...(request.headers as { [name: string]: string }), host: new URL(http.url).host }
      const init = { method: request.method!, headers, ...(body.length > 0 && { body }) }
      const answer = await fetch(http.url, init)
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    const sent = await sentOver(`http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`, revision)
    expect(sent).toEqual(exact)
    expect(bodies).toContain(sent)
    front.closeAllConnections()
    front.close()
  })

  test('over WebSocket', async () => {
    await using socket = await serveWebSocket(echo, { port: 0 })
    expect(await sentOver(socket.url!, '2025-06-18')).toEqual(exact)
  })
})

test('texts that look like marks stay texts, and other values that JSON cannot carry are refused as before', () => {
  expect(writeJson({ a: 5n, b: '5', c: 'x"5' })).toBe('{"a":5,"b":"5","c":"x\\"5"}')
  const circle: { self?: unknown } = {}
  circle.self = circle
  expect(() => writeJson(circle)).toThrow(TypeError)
})
