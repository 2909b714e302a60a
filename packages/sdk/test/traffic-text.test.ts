import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type RefusedInput, type Target, type TrafficEvent } from '@tenon/sdk/client'
import { afterAll, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'

/** Answers a call with a text of its own, in which `ID` stands for the id. */
const answers: { readonly [tool: string]: string } = {
  spaced: '{"jsonrpc": "2.0",  "id": ID, "result": {"content": [], "n": 12345678901234567890, "n": 1.50}}',
  broken: '{"jsonrpc": "2.0", "id": ID, "result": {,}}',
  long: `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"x":"${'é'.repeat(5_000)}"}}`,
}

const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } }

function answerTo(line: string): string | undefined {
  const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params?: { name: string } }
  if (id === undefined) return undefined
  if (method === 'tools/call') return answers[params!.name]!.replace('ID', String(id))
  return JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? info : { tools: [] } })
}

const program = `
  const answers = ${JSON.stringify(answers)}, info = ${JSON.stringify(info)}
  const answerTo = ${answerTo.toString()}
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const answer = answerTo(line)
    if (answer !== undefined) process.stdout.write(answer + '\\n')
  })`

const http = createHttpServer((request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end()
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const answer = answerTo(Buffer.concat(parts).toString())
    if (answer === undefined) response.writeHead(202).end()
    else if (request.url === '/stream')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${answer}\n\n`)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  })
})
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
const { port } = http.address() as AddressInfo
const sockets = new WebSocketServer({ server: http, handleProtocols: () => 'mcp' })
sockets.on('connection', (socket) =>
  socket.on('message', (data) => {
    const answer = answerTo(String(data))
    if (answer !== undefined) socket.send(answer)
  }),
)
afterAll(() => {
  for (const socket of sockets.clients) socket.terminate()
  http.closeAllConnections()
  http.close()
})

const maxBytes = 4_000

const places: { readonly [name: string]: Target } = {
  stdio: { command: process.execPath, args: ['-e', program], maxLineBytes: maxBytes },
  http: `http://127.0.0.1:${port}/json`,
  stream: `http://127.0.0.1:${port}/stream`,
  websocket: `ws://127.0.0.1:${port}/`,
}

async function trafficOf(place: string, tool: string): Promise<{ events: TrafficEvent[]; error: unknown }> {
  const events: TrafficEvent[] = []
  await using client = await connect(places[place]!, {
    revisions: ['2025-06-18'],
    httpLimits: { maxMessageBytes: maxBytes },
    onMessage: (event) => events.push(event),
  })
  const begin = events.length
  const error: unknown = await client.callTool(tool, {}).catch((thrown: unknown) => thrown)
  return { events: events.slice(begin), error }
}

const inputsOf = (events: readonly TrafficEvent[]): (RefusedInput | undefined)[] =>
  events.flatMap((event) => ('input' in event ? [event.input] : []))

describe.each(Object.keys(places))('over %s', (place) => {
  test('a received message is told with the text that came', async () => {
    const { events } = await trafficOf(place, 'spaced')
    const answer = events.find(({ from, payload }) => from === 'server' && payload !== undefined)
    expect(answer).toMatchObject({
      text: expect.stringMatching(/^\{"jsonrpc": "2\.0", {2}"id": \d+, .*12345678901234567890, "n": 1\.50\}\}$/),
    })
  })

  test('refused input is told with its length and its beginning', async () => {
    const { events, error } = await trafficOf(place, 'broken')
    // Its request does not wait for another one.
    expect(error).toMatchObject({ code: 'invalid_result' })
    const refused = inputsOf(events)
    expect(refused[0]?.start).toMatch(/^\{"jsonrpc": "2\.0", "id": \d+, "result": \{,\}\}$/)
    expect(refused[0]?.bytes).toBe(refused[0]?.start.length)
  })
})

test.each(['stdio', 'http'])('over %s, input that is too long is told as far as it was read', async (place) => {
  const { events, error } = await trafficOf(place, 'long')
  expect(error).toMatchObject({ code: 'too_large' })
  const [refused] = inputsOf(events)
  expect(refused?.start).toMatch(/^\{"jsonrpc":"2\.0","id":\d+,"result":\{"content":\[\],"x":"é{100}/)
  expect(refused?.bytes).toBeGreaterThan(maxBytes)
  expect(refused!.start.length).toBeLessThanOrEqual(4_096)
})
