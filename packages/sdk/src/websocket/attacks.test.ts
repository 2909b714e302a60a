import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { featureServer } from '../../test/fixture.ts'
import { connect } from '../client.ts'
import { Recorder } from '../jsonrpc/channel.suite.ts'
import { createServer, tool } from '../server.ts'
import { until } from '../socket/listening.suite.ts'
import { serveWebSocket, webSocketChannel } from '../websocket.ts'
import { closeOf, dial, messagesOf } from './raw-socket.suite.ts'

let listening: Awaited<ReturnType<typeof serveWebSocket>>
let url: string
beforeAll(async () => {
  listening = await serveWebSocket(featureServer(), { port: 0 }, { allowedOrigins: ['https://app.example'] })
  url = listening.url!
})
afterAll(() => listening.close())

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})

const open = async (): Promise<WebSocket> => (await dial(url)).socket!
/** The stream below `ws`: to send frames that `ws` would not. */
const streamOf = (socket: WebSocket): Socket => (socket as unknown as { _socket: Socket })._socket

describe('before the upgrade', () => {
  test.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1',
    'http://localhost:1',
    'https://app.example.evil.example',
  ])('a page of %s cannot connect', async (origin) =>
    expect(await dial(url, { headers: { origin } })).toMatchObject({ status: 403 }),
  )

  test.each(['evil.example', '127.0.0.1.evil.example', 'localhost@evil.example', 'localhost:1:2'])(
    'a name that was made to point here cannot be used: %s',
    async (host) => expect(await dial(url, { headers: { host } })).toMatchObject({ status: 403 }),
  )

  test('a page of the server itself or of an allowed origin can connect', async () => {
    for (const origin of [new URL(url.replace('ws:', 'http:')).origin, 'https://app.example', 'HTTPS://APP.EXAMPLE']) {
      const { socket } = await dial(url, { headers: { origin } })
      expect(socket?.protocol).toBe('mcp')
      socket!.close()
    }
    const { socket } = await dial(url, { headers: { host: `localhost:${new URL(url).port}` } })
    socket!.close()
  })

  test('two Host lines are one too many, also where the first is good', async () => {
    const { host, port } = new URL(url)
    for (const hosts of [
      [host, 'evil.example'],
      [host, host],
    ]) {
      const answer = await upgrade(Number(port), hosts)
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*More than one Host$/s)
    }
    expect(await upgrade(Number(port), [host])).toMatch(/^HTTP\/1\.1 101 /)
  })

  test('another path is not found, and a query does not change the path', async () => {
    expect(await dial(`${url}x`)).toMatchObject({ status: 404 })
    const { socket } = await dial(`${url}?a=/b`)
    socket!.close()
  })

  test('the subprotocol has to be offered', async () => {
    expect(await dial(url, { protocols: [] })).toMatchObject({ status: 400 })
    expect(await dial(url, { protocols: ['mcp2', 'graphql-ws'] })).toMatchObject({ status: 400 })
    const { socket } = await dial(url, { protocols: ['graphql-ws', 'mcp'] })
    expect(socket?.protocol).toBe('mcp')
    socket!.close()
  })

  test('compression is not agreed to', async () => {
    const { socket } = await dial(url, { perMessageDeflate: true })
    expect(socket?.extensions).toBe('')
    socket!.close()
  })
})

/** Requests a WebSocket with these `Host` lines, which no client would send. */
function upgrade(port: number, hosts: readonly string[]): Promise<string> {
  const key = randomBytes(16).toString('base64')
  const fields = [
    ...hosts.map((name) => `Host: ${name}`),
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Protocol: mcp',
  ]
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connectTcp(port, '127.0.0.1', () =>
      socket.write(`GET /mcp HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`),
    )
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (answer.startsWith('HTTP/1.1 101') && answer.includes('\r\n\r\n')) socket.destroy()
    })
  })
}

describe('frames', () => {
  test('a message that is too big ends the connection with 1009', async () => {
    const socket = await open()
    const closed = closeOf(socket)
    socket.on('error', () => {})
    socket.send('x'.repeat(4 * 1024 * 1024 + 1))
    expect(await closed).toMatchObject({ code: 1009 })
  })

  test('a frame that only announces to be huge ends the connection before it comes', async () => {
    const socket = await open()
    const closed = closeOf(socket)
    streamOf(socket).write(Buffer.from([0x81, 0xff, 0, 0, 0, 0xff, 0, 0, 0, 0, 1, 2, 3, 4]))
    expect(await closed).toMatchObject({ code: 1009 })
  })

  test('fragments cannot add up to more than a message may be', async () => {
    const socket = await open()
    const closed = closeOf(socket)
    socket.on('error', () => {})
    const piece = 'x'.repeat(64 * 1024)
    for (let i = 0; i < 100; i++) socket.send(piece, { fin: false })
    expect(await closed).toMatchObject({ code: 1009 })
  })

  test('a flood of tiny fragments ends the connection', async () => {
    const socket = await open()
    const closed = closeOf(socket)
    socket.on('error', () => {})
    for (let i = 0; i < 5000; i++) socket.send('x', { fin: false })
    expect(await closed).toMatchObject({ code: 1008 })
  })

  test('a binary frame ends the connection with 1003', async () => {
    const socket = await open()
    const closed = closeOf(socket)
    socket.send(Buffer.from(initialize))
    expect(await closed).toMatchObject({ code: 1003 })
  })

  test('text that is not UTF-8 ends the connection with 1007', async () => {
    const socket = await open()
    const closed = closeOf(socket)
    socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
    expect(await closed).toMatchObject({ code: 1007 })
  })

  test('text that is not JSON, or a million levels deep, is refused, and the connection lives', async () => {
    const socket = await open()
    const messages = messagesOf(socket, 6)
    for (const text of [
      initialize,
      'nonsense',
      '',
      '['.repeat(1_000_000),
      `{"jsonrpc":"2.0","id":7,"method":"x","params":${'['.repeat(1000)}`,
      '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    ])
      socket.send(text)
    expect(await messages).toMatchObject([
      { id: 1, result: {} },
      { error: { code: -32700 } },
      { error: { code: -32700 } },
      { error: { code: -32600 } },
      { id: 7, error: { code: -32600 } },
      { id: 2, result: {} },
    ])
    socket.close()
  })
})

describe('peers', () => {
  test('one that is silent is found out and let go', async () => {
    await using strict = await serveWebSocket(featureServer(), { port: 0 }, { keepAliveMs: 30 })
    const { socket } = await dial(strict.url!, { autoPong: false })
    const closed = closeOf(socket!)
    expect(strict.connections).toBe(1)
    await until(() => strict.connections === 0)
    expect(await closed).toMatchObject({ code: 1006 })
  })

  test('one that answers pings may be idle', async () => {
    await using strict = await serveWebSocket(featureServer(), { port: 0 }, { keepAliveMs: 20 })
    const { socket } = await dial(strict.url!)
    let pings = 0
    socket!.on('ping', () => pings++)
    await until(() => pings >= 5)
    expect(strict.connections).toBe(1)
    socket!.close()
  })

  test('one whose answer waits unread, because this process was busy, is not gone', async () => {
    await using strict = await serveWebSocket(featureServer(), { port: 0 }, { keepAliveMs: 50 })
    const { socket } = await dial(strict.url!)
    let pings = 0
    socket!.on('ping', () => {
      pings++
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80)
    })
    await until(() => pings >= 4 || strict.connections === 0)
    expect(strict.connections).toBe(1)
    socket!.terminate()
  })

  test('a client finds out that its server is silent', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false })
    await once(sockets, 'listening')
    const { port } = sockets.address() as AddressInfo
    const channel = await webSocketChannel(`ws://127.0.0.1:${port}`, { keepAliveMs: 30 })
    const recorder = new Recorder()
    channel.open(recorder)
    const reason = { message: 'The other side did not answer a ping within 30 ms' }
    expect(await recorder.untilClosed()).toMatchObject([{ closed: reason }])
    expect(() => channel.send({ jsonrpc: '2.0', method: 'x' })).toThrow(reason.message)
    await channel.close()
    await new Promise((resolve) => sockets.close(resolve))
  })

  test('200 connections that are opened and dropped leave nothing behind', async () => {
    for (let round = 0; round < 2; round++) {
      const sockets = await Promise.all(Array.from({ length: 100 }, open))
      for (const [i, socket] of sockets.entries()) {
        socket.on('error', () => {})
        if (i % 3 === 0) socket.send(initialize)
        // In the middle of a frame, too, and by ending only its half.
        if (i % 4 === 0) socket.terminate()
        else if (i % 4 === 1) streamOf(socket).resetAndDestroy()
        else if (i % 4 === 2) streamOf(socket).end()
        else streamOf(socket).end(Buffer.from([0x81, 0xfe, 0x10, 0, 1, 2, 3, 4, 5]))
      }
      await until(() => listening.connections === 0)
    }
  })

  test('one too many is refused, until there is room again', async () => {
    await using small = await serveWebSocket(featureServer(), { port: 0 }, { maxConnections: 1 })
    const { socket } = await dial(small.url!)
    expect(await dial(small.url!)).toMatchObject({ status: 503 })
    socket!.close()
    await until(() => small.connections === 0)
    await using client = await connect(() => webSocketChannel(small.url!))
    await client.ping()
  })

  test('requests that are being decided about count as connections', async () => {
    let decide!: () => void
    const decided = new Promise<void>((resolve) => {
      decide = resolve
    })
    let asked = 0
    const auth = async () => {
      asked++
      await decided
      return { principal: 'ada' }
    }
    await using small = await serveWebSocket(featureServer(), { port: 0 }, { maxConnections: 1, auth })
    const first = dial(small.url!)
    await until(() => asked === 1)
    expect(await dial(small.url!)).toMatchObject({ status: 503 })
    decide()
    ;(await first).socket!.close()
  })

  test('who asks and does not read is not read from either', async () => {
    const big = tool({ name: 'big', run: () => 'x'.repeat(100_000) })
    await using server = await serveWebSocket(createServer({ name: 's', version: '1', tools: [big] }), { port: 0 })
    const { socket } = await dial(server.url!)
    socket!.send(initialize)
    socket!.pause()
    let asked = 0
    while (asked < 100_000 && socket!.bufferedAmount < 1_000_000) {
      for (let i = 0; i < 100; i++)
        socket!.send(`{"jsonrpc":"2.0","id":${++asked + 1},"method":"tools/call","params":{"name":"big"}}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    // It stopped reading requests long before they ran out: 10 GB of answers would be due.
    expect(asked).toBeLessThan(100_000)
    socket!.terminate()
    await until(() => server.connections === 0)
  })

  test('who pings and does not read is not read from either', async () => {
    const socket = await open()
    socket.pause()
    const stream = streamOf(socket)
    const frame = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), randomBytes(125)])
    const flood = Buffer.concat(Array.from({ length: 1000 }, () => frame))
    let sent = 0
    while (sent < 500 && stream.writableLength < 1_000_000) {
      stream.write(flood)
      sent++
      await new Promise((resolve) => setImmediate(resolve))
    }
    // Otherwise 65 MB of pings would be read, and as many answers kept.
    expect(sent).toBeLessThan(500)
    socket.terminate()
    await until(() => listening.connections === 0)
  })
})
