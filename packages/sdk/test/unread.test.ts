/** Clients that do not read their answers: on every transport these are bounded, and other clients are served. */
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { connect } from '../src/client.ts'
import { fetchHandler } from '../src/http.ts'
import { statelessRequest } from '../src/http-server/tests/http.suite.ts'
import { serveHttp } from '../src/node.ts'
import { createServer, type Server, tool } from '../src/server.ts'
import { serveSocket, socketChannel } from '../src/socket.ts'
import { serveStdio } from '../src/stdio.ts'
import { serveWebSocket } from '../src/websocket.ts'

const mebibyte = 1024 * 1024
const calls = 60
/** The buffers of the system for an unread connection on this machine, and the bytes in flight. */
const systemBytes = 16 * mebibyte

let runs: number
let ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  ends = []
})

/** A tool with answers of a megabyte, at once or later. */
function make(limits: object = {}): Server {
  runs = 0
  const answer = 'x'.repeat(mebibyte)
  return createServer({
    name: 'unread',
    version: '1',
    limits,
    tools: [
      tool({
        name: 'now',
        run: () => {
          runs++
          return answer
        },
      }),
      tool({
        name: 'later',
        async run() {
          runs++
          await new Promise((resolve) => setImmediate(resolve))
          return answer
        },
      }),
      tool({ name: 'small', run: () => 'small' }),
    ],
  }) as Server
}

const message = (name: string, id: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })

/** All requests of a client have reached the server once another client got some answers after them. */
async function settle(target: Parameters<typeof connect>[0]): Promise<void> {
  await expect.poll(() => runs).toBeGreaterThan(0)
  await using other = await connect(target)
  for (let i = 0; i < 10; i++) expect((await other.callTool('small')).text).toBe('small')
}

/** Counts the occurrences of a text, also across chunks. */
class Counter {
  readonly #wanted: string
  #tail = ''
  count = 0

  constructor(wanted: string) {
    this.#wanted = wanted
  }

  add(chunk: Buffer | string): void {
    const text = this.#tail + String(chunk)
    this.count += text.split(this.#wanted).length - 1
    this.#tail = text.slice(-(this.#wanted.length - 1))
  }
}

function open(port: number): Socket {
  const socket = connectSocket(port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => {})
  ends.push(() => socket.destroy())
  return socket
}

function httpRequests(name: string): string {
  const body = message(name, 1)
  const { headers } = statelessRequest('tools/call', { name })
  const lines = (headers as [string, string][]).map((header) => header.join(': '))
  const head = ['POST /mcp HTTP/1.1', 'host: localhost', `content-length: ${body.length}`, ...lines]
  return `${head.join('\r\n')}\r\n\r\n${body}`.repeat(calls)
}

describe('over HTTP', () => {
  const start = async (server: Server, options: object = {}) => {
    const http = await serveHttp(server, { closeTimeoutMs: 0, ...options })
    ends.push(() => http.close())
    return http
  }

  test('no more requests are taken from a connection whose answers are unread, and all are answered when it reads', async () => {
    const server = make()
    const http = await start(server, { maxBufferedBytes: 4 * mebibyte })
    const socket = open(http.port)
    socket.write(httpRequests('now'))
    await settle(http.url)
    expect(runs).toBeLessThanOrEqual((4 * mebibyte + systemBytes) / mebibyte)
    expect(server.kept.unsent.bytes).toBeLessThanOrEqual(6 * mebibyte)
    const counter = new Counter('"resultType":"complete"')
    socket.on('data', (chunk) => counter.add(chunk))
    socket.resume()
    await expect.poll(() => counter.count, { timeout: 100_000 }).toBe(calls)
    await expect.poll(() => server.kept.unsent.bytes).toBe(0)
  })

  test('answers of calls that run at the same time are too much at last, and the connection is ended', async () => {
    const server = make({ maxKeptBytes: 32 * mebibyte })
    const http = await start(server)
    const socket = open(http.port)
    socket.write(httpRequests('later'))
    await expect.poll(() => runs).toBe(calls)
    const counter = new Counter('"resultType":"complete"')
    socket.on('data', (chunk) => counter.add(chunk))
    socket.resume()
    await once(socket, 'close')
    expect(counter.count).toBeLessThan(calls)
    await expect.poll(() => server.kept.unsent.bytes).toBe(0)
    await settle(http.url)
  })

  test('one whose client reads is not ended for one whose client does not', async () => {
    const server = make({ maxKeptBytes: 32 * mebibyte })
    const http = await start(server, { maxBufferedBytes: 64 * mebibyte })
    const idle = open(http.port)
    idle.write(httpRequests('now').slice(0, httpRequests('now').length / 15))
    await expect.poll(() => server.kept.unsent.bytes).toBeGreaterThan(0)
    await using client = await connect(http.url)
    for (let i = 0; i < 5; i++) expect((await client.callTool('later')).text).toHaveLength(mebibyte)
  })

  test('a client that reads nothing is ended after a time', async () => {
    const server = make()
    const http = await start(server, { unreadTimeoutMs: 100 })
    const socket = open(http.port)
    socket.write(httpRequests('now'))
    // From the first answer on something is unread, as the system does not buffer all of them.
    await expect.poll(() => runs).toBeGreaterThan(0)
    await expect.poll(() => server.kept.unsent.bytes).toBe(0)
    const counter = new Counter('"resultType":"complete"')
    socket.on('data', (chunk) => counter.add(chunk))
    socket.resume()
    await once(socket, 'close')
    expect(counter.count).toBeLessThan(calls)
  })

  test('when unread answers take all the memory, requests are refused until somebody reads', async () => {
    const server = make({ maxKeptBytes: 8 * mebibyte })
    const http = await start(server, { maxBufferedBytes: 64 * 1024 })
    const socket = open(http.port)
    socket.write(httpRequests('now'))
    await expect.poll(() => server.kept.unsent.bytes).toBeGreaterThan(server.kept.unsent.limit)
    const refused = await fetch(http.url, statelessRequest('tools/call', { name: 'small' }))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.text()).toContain('no memory left for unread answers')
    // A client that has read nothing for a second is disconnected.
    await expect
      .poll(async () => (await fetch(http.url, statelessRequest('tools/call', { name: 'small' }))).status, {
        timeout: 100_000,
      })
      .toBe(200)
    expect(server.kept.unsent.bytes).toBe(0)
  })

  test('HTTP+SSE: the stream is ended when too much of it is unread', async () => {
    const server = make()
    const http = await start(server, { maxBufferedBytes: 2 * mebibyte })
    const socket = open(http.port)
    socket.write('GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n')
    const [first] = (await once(socket.resume(), 'data')) as [Buffer]
    socket.pause()
    const [, path] = /data: (\S+)/.exec(String(first))!
    const post = (body: object): Promise<Response> =>
      fetch(new URL(path!, http.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      })
    const clientInfo = { name: 'x', version: '1' }
    await post({ id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo } })
    await post({ method: 'notifications/initialized' })
    let status = 0
    for (let id = 1; id <= calls && status !== 404; id++) {
      status = (await post({ id, method: 'tools/call', params: { name: 'now', arguments: {} } })).status
    }
    expect(status).toBe(404)
    expect(runs).toBeLessThanOrEqual((2 * mebibyte + systemBytes) / mebibyte)
    await expect.poll(() => server.kept.unsent.bytes).toBe(0)
  })

  test('on other platforms an unread stream is counted, and ended when it is too much', async () => {
    const server = make({ maxKeptBytes: 16 * mebibyte })
    const handler = fetchHandler(server, { maxBufferedBytes: 64 * mebibyte, allowedHosts: '*' })
    ends.push(() => handler.close())
    const stream = await handler(new Request('http://localhost/sse', { headers: { accept: 'text/event-stream' } }))
    const reader = stream.body!.getReader()
    const [, path] = /data: (\S+)/.exec(new TextDecoder().decode((await reader.read()).value))!
    const post = (body: object): Promise<Response> =>
      handler(
        new Request(new URL(path!, 'http://localhost'), {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', ...body }),
        }),
      )
    const clientInfo = { name: 'x', version: '1' }
    await post({ id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo } })
    await post({ method: 'notifications/initialized' })
    let status = 0
    for (let id = 1; id <= calls && status !== 404; id++) {
      status = (await post({ id, method: 'tools/call', params: { name: 'now', arguments: {} } })).status
    }
    expect(status).toBe(404)
    expect(runs).toBeLessThanOrEqual(4)
    expect(server.kept.unsent.bytes).toBe(0)
  })
})

describe('over a socket', () => {
  const lines = (name: string): string => Array.from({ length: calls }, (_, id) => `${message(name, id)}\n`).join('')
  const start = async (server: Server): Promise<number> => {
    const listening = await serveSocket(server, { port: 0 }, { closeTimeoutMs: 0 })
    ends.push(() => listening.close())
    return (listening.address as { port: number }).port
  }

  test('lines that have arrived wait as well while answers are unread', async () => {
    const port = await start(make())
    const socket = open(port)
    socket.write(lines('now'))
    await settle(await socketChannel({ port }))
    expect(runs).toBeLessThanOrEqual(systemBytes / mebibyte)
    const counter = new Counter('"resultType":"complete"')
    socket.on('data', (chunk) => counter.add(chunk))
    socket.resume()
    await expect.poll(() => counter.count, { timeout: 100_000 }).toBe(calls)
  })

  test('answers of calls that run at the same time are too much at last, and the connection is ended', async () => {
    const server = make({ maxKeptBytes: 32 * mebibyte })
    const socket = open(await start(server))
    socket.write(lines('later'))
    await expect.poll(() => runs).toBe(calls)
    socket.resume()
    await once(socket, 'close')
    await expect.poll(() => server.kept.unsent.bytes).toBe(0)
  })

  test('half a line is counted, and refused when there is no memory left', async () => {
    const server = make({ maxKeptBytes: mebibyte })
    const socket = open(await start(server))
    socket.write(`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"junk":"${'x'.repeat(100_000)}`)
    await expect.poll(() => server.kept.bodies.bytes).toBeGreaterThan(100_000)
    socket.write(`${'x'.repeat(100_000)}"}}\n`)
    const [answer] = (await once(socket.resume(), 'data')) as [Buffer]
    expect(JSON.parse(String(answer))).toMatchObject({ id: 7, error: { code: -32603, message: /no memory left/ } })
    expect(server.kept.bodies.bytes).toBe(0)
  })
})

describe('over WebSocket', () => {
  const start = async (server: Server): Promise<string> => {
    const listening = await serveWebSocket(server, { port: 0 }, { closeTimeoutMs: 0 })
    ends.push(() => listening.close())
    return listening.url!
  }
  const dial = async (url: string): Promise<WebSocket> => {
    const socket = new WebSocket(url, ['mcp'])
    ends.push(() => socket.terminate())
    socket.on('error', () => {})
    await once(socket, 'open')
    socket.pause()
    return socket
  }

  test('messages that have arrived wait as well while answers are unread', async () => {
    const url = await start(make())
    const socket = await dial(url)
    const { _socket: stream } = socket as unknown as { _socket: Socket }
    stream.cork()
    for (let id = 0; id < calls; id++) socket.send(message('now', id))
    stream.uncork()
    await settle(url)
    expect(runs).toBeLessThanOrEqual(systemBytes / mebibyte)
    let answers = 0
    socket.on('message', () => answers++)
    socket.resume()
    await expect.poll(() => answers, { timeout: 100_000 }).toBe(calls)
  })

  test('answers of calls that run at the same time are too much at last, and the connection is ended', async () => {
    const server = make({ maxKeptBytes: 32 * mebibyte })
    const socket = await dial(await start(server))
    // In one packet: all of them are accepted before the first answer is there.
    const { _socket: stream } = socket as unknown as { _socket: Socket }
    stream.cork()
    for (let id = 0; id < calls; id++) socket.send(message('later', id))
    stream.uncork()
    await expect.poll(() => runs).toBe(calls)
    socket.resume()
    await once(socket, 'close')
    await expect.poll(() => server.kept.unsent.bytes).toBe(0)
  })

  test('half a message is counted, and the connection ended when there is no memory left', async () => {
    const server = make({ maxKeptBytes: mebibyte })
    const socket = await dial(await start(server))
    socket.send('x'.repeat(100_000), { fin: false })
    await expect.poll(() => server.kept.bodies.bytes).toBeGreaterThan(100_000)
    socket.send('x'.repeat(100_000), { fin: false })
    socket.resume()
    await once(socket, 'close')
    await expect.poll(() => server.kept.bodies.bytes).toBe(0)
  })
})

test('over stdio lines that have arrived wait as well while answers are unread', async () => {
  const [input, output] = [new PassThrough({ highWaterMark: mebibyte }), new PassThrough()]
  const serving = serveStdio(make(), { input, output, exit: false })
  input.write(Array.from({ length: calls }, (_, id) => `${message('now', id)}\n`).join(''))
  await expect.poll(() => runs).toBeGreaterThan(0)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(runs).toBeLessThanOrEqual(4)
  const counter = new Counter('"resultType":"complete"')
  output.on('data', (chunk) => counter.add(chunk))
  await expect.poll(() => counter.count, { timeout: 100_000 }).toBe(calls)
  input.end()
  await (await serving).closed
})
