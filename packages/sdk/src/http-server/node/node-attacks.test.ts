/** Attacks that need a raw socket. */
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { deadlineCount } from '../../jsonrpc/timer-wheel.ts'
import { type HttpServer, type ServeHttpOptions, serveHttp } from '../serve-http.ts'
import { callToolRequest, post, SessionClient, type ToolScript, testServer } from '../tests/http.suite.ts'

let http: HttpServer
let script: ToolScript

const start = async (options: ServeHttpOptions = {}): Promise<void> => {
  const made = testServer()
  script = made.script
  http = await serveHttp(made.server, options)
}
afterEach(() => http.close())

const served = {
  fetch: (path: string, init?: RequestInit) => fetch(new URL(path, http.url), init),
  close: () => http.close(),
}

/** Sends bytes as they are, and returns the answer until the other side ends. */
function raw(text: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(http.port, '127.0.0.1')
  socket.write(text)
  const answer = new Promise<string>((resolve) => {
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', () => resolve(received))
  })
  return { socket, answer }
}

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const head = (lines: string[]): string => ['POST /mcp HTTP/1.1', ...lines, '', ''].join('\r\n')
const usual = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close']

// [http.security.bind-localhost] [httpsse.security.bind-localhost]
test('it listens on loopback unless told otherwise', async () => {
  await start()
  expect(http.url).toBe(`http://127.0.0.1:${http.port}/mcp`)
})

// [http.headers.name-case-insensitive]
test('names of headers are the same in any case', async () => {
  await start()
  const { headers, body: call } = callToolRequest('echo') as { headers: [string, string][]; body: string }
  const lines = headers.map(([name, value]) => `${name.toUpperCase()}: ${value}`)
  const ends = [`CONTENT-LENGTH: ${call.length}`, 'HOST: localhost', 'CONNECTION: close']
  expect(await raw(head([...lines, ...ends]) + call).answer).toMatch(/^HTTP\/1.1 200/)
})

test('two Host lines are one too many', async () => {
  await start()
  const { answer } = raw(head(['Host: localhost', 'Host: evil.example.com', ...usual]) + body)
  expect(await answer).toMatch(/^HTTP\/1.1 400/)
})

test('a body with two lengths is refused', async () => {
  await start()
  const { answer } = raw(head(['Host: localhost', 'Transfer-Encoding: chunked', ...usual]) + body)
  expect(await answer).toMatch(/^HTTP\/1.1 400/)
})

test('headers that are too large are refused', async () => {
  await start({ maxHeaderBytes: 2048 })
  const { answer } = raw(head(['Host: localhost', `X-Pad: ${'x'.repeat(4000)}`, ...usual]) + body)
  expect(await answer).toMatch(/^HTTP\/1.1 431/)
})

test('half a body: 408 and the connection ends', async () => {
  await start({ bodyTimeoutMs: 50 })
  const { answer } = raw(`${head(['Host: localhost', 'Content-Type: application/json', 'Content-Length: 500'])}{"json`)
  expect(await answer).toMatch(/^HTTP\/1.1 408/)
  expect(deadlineCount()).toBe(0)
})

test('a body that comes drop by drop does not buy time', async () => {
  await start({ bodyTimeoutMs: 60 })
  const { socket, answer } = raw(head(['Host: localhost', 'Content-Type: application/json', 'Content-Length: 500000']))
  const drops = setInterval(() => socket.write(' '), 5)
  expect(await answer).toMatch(/^HTTP\/1.1 408/)
  clearInterval(drops)
})

test('whoever leaves in the middle of a body leaves nothing behind', async () => {
  await start()
  const { socket } = raw(`${head(['Host: localhost', 'Content-Type: application/json', 'Content-Length: 500'])}{"json`)
  await expect.poll(deadlineCount).toBe(1)
  socket.destroy()
  await expect.poll(deadlineCount).toBe(0)
  expect(script.errors).toEqual([])
})

test('a body of 100 MB is refused long before it is read', async () => {
  await start()
  let sent = 0
  const status = await new Promise<number | undefined>((resolve) => {
    const { port } = http
    const headers = { 'content-type': 'application/json' }
    const request = httpRequest({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('error', () => {})
    const chunk = Buffer.alloc(64 * 1024, 0x20)
    const more = (): void => {
      while (sent < 100 * 1024 * 1024 && !request.destroyed) {
        sent += chunk.length
        if (!request.write(chunk)) {
          request.once('drain', more)
          return
        }
      }
    }
    more()
  })
  expect(status).toBe(413)
  expect(sent).toBeLessThan(50 * 1024 * 1024)
})

test('10,000 abandoned sessions: the number stays bounded, and the newest works', async () => {
  await start({ sessions: { max: 100 } })
  const { Endpoint } = await import('../endpoint.ts')
  const endpoint = new Endpoint(testServer().server, { sessions: { max: 100 } })
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  })
  for (let i = 0; i < 10_000; i++) {
    await new Promise((send) => {
      endpoint.handle(
        {
          method: 'POST',
          target: { path: '/mcp', query: '' },
          raw: undefined,
          header: (name) => ({ 'content-type': 'application/json', host: 'localhost' })[name],
          readBody: async () => ({ text: initialize }),
        },
        { send, stream: () => ({ write: () => {}, end: () => {} }), onGone: () => {} },
      )
    })
  }
  await expect.poll(() => endpoint.open).toMatchObject({ sessions: 100, listens: 0, sse: 0, inFlight: 0, streams: 0 })
  await endpoint.close()
  expect(endpoint.open.sessions).toBe(0)
})

test('a client that does not read loses its connection before the memory is full', async () => {
  await start({ maxBufferedBytes: 1024 * 1024 })
  const call = callToolRequest('flood', {}, {}, { progressToken: 1 })
  const lines = (call.headers as [string, string][]).map(([name, value]) => `${name}: ${value}`)
  const text = call.body as string
  const { socket } = raw(head(['Host: localhost', ...lines, `Content-Length: ${text.length}`]) + text)
  socket.pause()
  expect(await script.aborted.seen).toMatchObject({ code: 'cancelled' })
  socket.destroy()
})

const once = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (data) => resolve(String(data))))

test('1,000 open streams end together, quickly', async () => {
  await start()
  const client = await SessionClient.open(served)
  const sockets = Array.from({ length: 1_000 }, () =>
    raw('GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n'),
  )
  await Promise.all(sockets.map(({ socket }) => once(socket)))
  const began = performance.now()
  await http.close()
  await Promise.all(sockets.map(({ answer }) => answer))
  expect(performance.now() - began).toBeLessThan(5_000)
  await expect(client.post({})).rejects.toThrow()
})

test('close lets a request in work finish, and refuses new ones', async () => {
  await start()
  const call = fetch(http.url, callToolRequest('wait'))
  await script.started.seen
  const closing = http.close()
  script.release.give()
  expect(await (await call).json()).toMatchObject({ id: 1, result: {} })
  await closing
  await expect(fetch(http.url, callToolRequest('echo'))).rejects.toThrow()
})

test('close waits no longer than its bound, and cancels what is left', async () => {
  await start({ closeTimeoutMs: 50 })
  const call = fetch(http.url, callToolRequest('wait'))
  await script.started.seen
  await http.close()
  expect((await call).status).toBe(503)
  expect(await script.aborted.seen).toMatchObject({ code: 'cancelled' })
  script.release.give()
})

test('close ends a session with a request in work, and its streams', async () => {
  await start({ closeTimeoutMs: 50 })
  const client = await SessionClient.open(served)
  const stream = await client.get()
  const call = client.call('wait')
  await script.started.seen
  await http.close()
  expect((await call).status).toBe(404)
  await stream.text()
  expect(await script.aborted.seen).toMatchObject({ code: 'closed' })
  script.release.give()
})

test('a port that is taken is an error, not a silence', async () => {
  await start()
  await expect(serveHttp(testServer().server, { port: http.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('an idle session ends, one that is listened to does not', async () => {
  let now = 0
  const { HttpSessions } = await import('../session/http-sessions.ts')
  const { KeepAliveTimer } = await import('../keep-alive.ts')
  const { MemorySessionStore } = await import('../stores/memory-session-store.ts')
  const { dispatcherOf } = await import('../../server/server.ts')
  await start()
  const store = new MemorySessionStore()
  const sessions = new HttpSessions(
    store,
    { max: 10, idleMs: 1000 },
    {
      dispatcher: dispatcherOf(testServer().server),
      limits: {},
      log: undefined,
      keepAlive: new KeepAliveTimer(60_000),
      retryMs: 1000,
      now: () => now,
    },
  )
  const idle = await sessions.create({}, undefined)
  const listening = await sessions.create({}, undefined)
  await sessions.add(idle)
  await sessions.add(listening)
  const stream = { write: () => {}, end: () => {} }
  await listening.listen({ send: () => {}, stream: () => stream, onGone: () => {} }, undefined, undefined)
  now = 1000
  sessions.sweep()
  await expect.poll(() => sessions.size).toBe(1)
  expect(await sessions.find(idle.id, undefined)).toBeUndefined()
  expect(await sessions.find(listening.id, undefined)).toBe(listening)
  expect(store.size).toBe(1)
  await sessions.close()
})

test('posts to a mounted path keep working after a refused one on the same connection', async () => {
  await start()
  expect((await fetch(http.url, post('{'))).status).toBe(400)
  expect((await fetch(http.url, callToolRequest('echo'))).status).toBe(200)
})
