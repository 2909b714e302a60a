import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { featureServer } from '../../test/fixture.ts'
import { connect } from '../client.ts'
import { channelSuite, Recorder, request } from '../jsonrpc/channel.suite.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import { createServer, tool } from '../server.ts'
import { listeningSuite } from '../socket/listening.suite.ts'
import { attachWebSocket, serveWebSocket, type WebSocketOptions, webSocketChannel } from '../websocket.ts'
import { WebSocketChannel } from './channel.ts'
import { closeOf, dial } from './raw-socket.suite.ts'
import { WsSocket } from './ws-socket.ts'

// `ws` with the interface of a browser's WebSocket.
const platform: WebSocketOptions = { WebSocket: WebSocket as unknown as NonNullable<WebSocketOptions['WebSocket']> }

for (const [kind, options] of [
  ['the WebSocket of ws', { headers: {} }],
  ['the WebSocket of the platform', platform],
] as [string, WebSocketOptions][]) {
  channelSuite(kind, async () => {
    const { url, accepted, close } = await listenRaw()
    const a = await webSocketChannel(url, options)
    return { a, b: await accepted, close }
  })

  listeningSuite(kind, async (server, serving) => {
    const listening = await serveWebSocket(server, { port: 0 }, serving)
    return Object.assign(listening, { dial: () => webSocketChannel(listening.url!, options) })
  })
}

test.each([
  ['the WebSocket of ws', { headers: {} }],
  ['the WebSocket of the platform', platform],
] as [string, WebSocketOptions][])('an answer that is too large says so: %s', async (_, options) => {
  const large = tool({ name: 'large', description: 'Much', run: () => 'x'.repeat(20_000) })
  await using listening = await serveWebSocket(createServer({ name: 'a', version: '1', tools: [large] }), { port: 0 })
  await using client = await connect(() => webSocketChannel(listening.url!, { ...options, maxMessageBytes: 10_000 }))
  const message = 'A message exceeds the limit of 10000 bytes on this side; raise it with maxMessageBytes'
  await expect(client.callTool('large')).rejects.toMatchObject({ code: 'too_large', message })
  await expect(client.callTool('large')).rejects.toMatchObject({ code: 'closed', message })
})

async function listenRaw(): Promise<{ url: string; accepted: Promise<Channel>; close: () => Promise<void> }> {
  const http = createHttp()
  const sockets = new WebSocketServer({ noServer: true, autoPong: false })
  const accepted = new Promise<Channel>((resolve) => {
    http.on('upgrade', (message, stream: Duplex, head) => {
      sockets.handleUpgrade(message, stream, head, (socket) =>
        resolve(new WebSocketChannel(new WsSocket(socket, stream))),
      )
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => http.close(() => resolve()))
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`, accepted, close }
}

describe('connecting', () => {
  test('says what to check when nobody is there', async () => {
    const listening = await serveWebSocket(featureServer(), { port: 0 })
    await listening.close()
    await expect(webSocketChannel(listening.url!)).rejects.toMatchObject({
      name: 'McpError',
      code: 'closed',
      message: expect.stringContaining('nobody listens there'),
    })
    await expect(webSocketChannel(listening.url!, platform)).rejects.toThrow('check the URL')
  })

  test('says with which status it was refused, and keeps secrets of the URL to itself', async () => {
    await using listening = await serveWebSocket(featureServer(), { port: 0 })
    const attempt = webSocketChannel(`${listening.url}/elsewhere?token=secret`, { headers: {} })
    const error = (await attempt.catch((thrown: unknown) => thrown)) as Error
    expect(error.message).toContain('404 Not Found')
    expect(error.message).not.toContain('secret')
  })

  test('wants the subprotocol', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => false })
    await once(sockets, 'listening')
    const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`
    await expect(webSocketChannel(url)).rejects.toThrow('subprotocol')
    await new Promise((resolve) => sockets.close(resolve))
  })

  test('can be given up, by time and by signal', async () => {
    const http = createHttp()
    const streams: Duplex[] = []
    let isOver = false
    http.on('upgrade', (_request, stream) => {
      streams.push(stream.on('error', () => {}))
      // On a slow machine an aborted attempt may still arrive.
      if (isOver) stream.destroy()
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
    await expect(webSocketChannel(url, { connectTimeoutMs: 20 })).rejects.toMatchObject({ code: 'timeout' })
    await expect(webSocketChannel(url, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
      code: 'cancelled',
    })
    await expect(webSocketChannel(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
    isOver = true
    for (const stream of streams) stream.destroy()
    await new Promise((resolve) => http.close(resolve))
  })

  test('takes URLs of WebSockets and of the web, and no others', async () => {
    await using listening = await serveWebSocket(featureServer(), { port: 0 })
    const channel = await webSocketChannel(new URL(listening.url!.replace('ws:', 'http:')))
    await channel.close()
    await expect(webSocketChannel('ftp://127.0.0.1/')).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(webSocketChannel('nonsense')).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('serving', () => {
  const whoami = tool({ name: 'whoami', run: (_input, ctx) => String(ctx.auth?.principal) })
  const server = createServer({ name: 'who', version: '1', tools: [whoami] })

  test('auth says who asks, or why not', async () => {
    const reported: unknown[] = []
    await using listening = await serveWebSocket(
      server,
      { port: 0 },
      {
        onError: (error) => reported.push(error),
        auth: async (request) => {
          const authorization = request.header('authorization')
          if (authorization === 'Bearer crash') throw new Error('secret')
          if (authorization === 'Bearer ada') return { principal: 'ada' }
          return { status: 401, message: 'Sign in', headers: { 'WWW-Authenticate': 'Bearer' } }
        },
      },
    )
    const headers = { authorization: 'Bearer ada' }
    await using client = await connect(() => webSocketChannel(listening.url!, { headers }))
    expect((await client.callTool('whoami')).text).toBe('ada')
    const refused = await dial(listening.url!)
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' }, body: 'Sign in' })
    const crashed = await dial(listening.url!, { headers: { authorization: 'Bearer crash' } })
    expect(crashed).toMatchObject({ status: 500, body: 'Internal error' })
    expect(reported).toMatchObject([{ message: 'secret' }])
    expect(listening.connections).toBe(1)
  })

  test('an HTTP server keeps its other paths', async () => {
    const http = createHttp((_request, response) => response.end('a page'))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const origin = `127.0.0.1:${(http.address() as AddressInfo).port}`
    const attached = await attachWebSocket(http, server, { path: '/a' })
    expect(await dial(`ws://${origin}/other`)).toMatchObject({ status: 404 })
    const second = await serveWebSocket(featureServer(), { server: http, path: '/b' })
    await using a = await connect(() => webSocketChannel(`ws://${origin}/a`))
    await using b = await connect(() => webSocketChannel(`ws://${origin}/b`))
    expect([a.server.info?.name, b.server.info?.name]).toEqual(['who', 'features'])
    expect(await (await fetch(`http://${origin}/`)).text()).toBe('a page')
    // A request for neither of them is not left open forever.
    expect(await dial(`ws://${origin}/c`)).toMatchObject({ status: 404 })
    expect(await dial(`ws://${origin}//a`)).toMatchObject({ status: 400 })
    await Promise.all([attached.close(), second.close()])
    expect(http.listenerCount('upgrade')).toBe(0)
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })

  test('an ordinary request is told what this is', async () => {
    await using listening = await serveWebSocket(server, { port: 0 })
    const response = await fetch(listening.url!.replace('ws:', 'http:'))
    expect(response.status).toBe(426)
  })

  test('closing says that the server goes away', async () => {
    const listening = await serveWebSocket(server, { port: 0 })
    const { socket } = await dial(listening.url!)
    const closed = closeOf(socket!)
    await listening.close()
    expect(await closed).toMatchObject({ code: 1001 })
  })

  test('an address that others can reach needs the names it goes by', async () => {
    await expect(serveWebSocket(server, { port: 0, host: '0.0.0.0' })).rejects.toThrow('allowedHosts')
  })

  test('a port in use is named', async () => {
    await using listening = await serveWebSocket(server, { port: 0 })
    const port = Number(new URL(listening.url!).port)
    await expect(serveWebSocket(server, { port })).rejects.toThrow(`port: ${port} is in use`)
  })
})

test('what arrived before the channel was opened is delivered, even if the end has come too', async () => {
  const { url, accepted, close } = await listenRaw()
  const a = await webSocketChannel(url, platform)
  const b = await accepted
  b.open(new Recorder())
  void b.send(request(1))
  await b.close()
  const atA = new Recorder()
  a.open(atA)
  await atA.untilClosed()
  expect(atA.arrivals).toEqual([{ value: request(1) }, { closed: undefined }])
  await a.close()
  await close()
})
