import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect as dial, createServer as listenRaw, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { featureServer } from '../../test/fixture.ts'
import { connect } from '../client.ts'
import { channelSuite, Recorder } from '../jsonrpc/channel.suite.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import { createServer, tool } from '../server.ts'
import { type SocketServer, serveSocket, socketChannel } from '../socket.ts'
import type { SocketAddress } from './address.ts'
import { SocketChannel } from './channel.ts'
import { gatedServer, listeningSuite, until } from './listening.suite.ts'
import { look, takeAway } from './unix-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-socket-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const freshPath = (): string => join(folder, `${++count}.sock`)

// The ends of a pair are closed one after the other: waiting for the second only delays.
const patience = { flushTimeoutMs: 200 }
const kinds: [string, () => SocketAddress][] = [
  ['a Unix socket', () => ({ path: freshPath() })],
  ['a TCP socket', () => ({ port: 0 })],
]

for (const [kind, address] of kinds) {
  channelSuite(kind, async () => {
    let accept!: (channel: Channel) => void
    const accepted = new Promise<Channel>((resolve) => {
      accept = resolve
    })
    const listener = listenRaw({ allowHalfOpen: true }, (socket) => accept(new SocketChannel(socket, patience)))
    const where = address()
    await new Promise<void>((resolve) => listener.listen('path' in where ? where.path : where, resolve))
    const bound = listener.address() as string | { port: number }
    const a = await socketChannel(typeof bound === 'string' ? { path: bound } : { port: bound.port }, patience)
    const close = () => new Promise<void>((resolve) => listener.close(() => resolve()))
    return { a, b: await accepted, close }
  })

  listeningSuite(kind, async (server, options) => {
    const listening = await serveSocket(server, address(), options)
    return Object.assign(listening, { dial: () => socketChannel(listening.address) })
  })
}

describe('listening', () => {
  test('only the owner can use the socket, and it is gone after close', async () => {
    const path = freshPath()
    const before = process.umask()
    const listening = await serveSocket(featureServer(), { path })
    expect(process.umask()).toBe(before)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await listening.close()
    expect(() => statSync(path)).toThrow('ENOENT')
  })

  test('a socket that nobody listens on any more is replaced', async () => {
    const path = freshPath()
    leaveStale(path)
    expect(statSync(path).isSocket()).toBe(true)
    await using listening = await serveSocket(featureServer(), { path })
    await using client = await connect(() => socketChannel(listening.address))
    expect((await client.callTool('echo', { text: 'new' })).text).toBe('new')
  })

  test('a socket in use is left alone', async () => {
    const path = freshPath()
    await using first = await serveSocket(featureServer(), { path })
    await expect(serveSocket(featureServer(), { path })).rejects.toMatchObject({
      name: 'McpError',
      message: expect.stringContaining('in use'),
    })
    await using client = await connect(() => socketChannel(first.address))
    expect((await client.callTool('echo', { text: 'still' })).text).toBe('still')
  })

  test('a file that is no socket is left alone', async () => {
    const path = freshPath()
    writeFileSync(path, 'precious')
    await expect(serveSocket(featureServer(), { path })).rejects.toThrow('is not a socket')
    expect(readFileSync(path, 'utf8')).toBe('precious')
  })

  test('of many in a process that replace a stale socket at once, exactly one listens', async () => {
    const path = freshPath()
    leaveStale(path)
    const started = await Promise.allSettled(Array.from({ length: 8 }, () => serveSocket(featureServer(), { path })))
    const listening = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    await using client = await connect(() => socketChannel({ path }))
    await client.ping()
    expect(listening.map((server) => server.connections)).toEqual([1])
    await client.close()
    await Promise.all(listening.map((server) => server.close()))
  })

  test('a socket that took the place of a stale one stays', async () => {
    const path = freshPath()
    leaveStale(path)
    const { identity } = (await look(path))!
    await using listening = await serveSocket(featureServer(), { path })
    await expect(takeAway(path, identity)).rejects.toThrow('in use')
    expect(readdirSync(folder).filter((name) => name.startsWith(basename(path)))).toEqual([basename(path)])
    await using client = await connect(() => socketChannel(listening.address))
    await client.ping()
    await expect(takeAway(freshPath(), identity)).resolves.toBeUndefined()
  })

  test('an address that others can reach has to be meant', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com'])
      await expect(serveSocket(featureServer(), { port: 0, host })).rejects.toThrow('allowRemote')
  })

  test('a port in use is named', async () => {
    await using listening = await serveSocket(featureServer(), { port: 0 })
    const { port } = listening.address as { port: number }
    await expect(serveSocket(featureServer(), { port })).rejects.toThrow(`port: ${port} is in use`)
  })

  test('names outside the file system are refused', async () => {
    await expect(serveSocket(featureServer(), { path: '\0open-to-all' })).rejects.toThrow('path: expected')
  })
})

describe('connecting', () => {
  test('says what to check', async () => {
    await expect(socketChannel({ path: freshPath() })).rejects.toMatchObject({
      name: 'McpError',
      code: 'closed',
      message: expect.stringContaining('check the path'),
    })
    const stale = freshPath()
    leaveStale(stale)
    await expect(socketChannel({ path: stale })).rejects.toThrow('check that the server is running')
    const listening = await serveSocket(featureServer(), { port: 0 })
    await listening.close()
    await expect(socketChannel(listening.address)).rejects.toThrow('check the port')
  })

  test('can be given up', async () => {
    const signal = AbortSignal.abort()
    await expect(socketChannel({ port: 1 }, { signal })).rejects.toMatchObject({ code: 'cancelled' })
    const stop = new AbortController()
    const attempt = socketChannel({ port: 1 }, { signal: stop.signal })
    stop.abort()
    await expect(attempt).rejects.toMatchObject({ code: 'cancelled' })
  })
})

test('a client that only asked, and ended its half, gets its answers', async () => {
  const { server, started, finish } = gatedServer()
  await using listening = await serveSocket(server, { path: freshPath() })
  const socket = await raw(listening)
  socket.end(`${initialize}\n{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gated"}}\n`)
  await started.passed
  finish.open()
  expect(await textOf(socket)).toContain('finished')
})

describe('attacks', () => {
  test('a web page that posts to the port is hung up on before its body is read', async () => {
    const ran: string[] = []
    const spy = tool({ name: 'spy', run: () => void ran.push('ran') })
    await using listening = await serveSocket(createServer({ name: 's', version: '1', tools: [spy] }), { port: 0 })
    const socket = await raw(listening)
    const body = [initialize, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"spy"}}', ''].join('\n')
    socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n\r\n${body}`)
    expect(await textOf(socket)).toBe('')
    expect(ran).toEqual([])
  })

  test('a page that hides its request line behind its length or depth is hung up on as well', async () => {
    await using listening = await serveSocket(featureServer(), { port: 0 }, { maxLineBytes: 1000 })
    for (const path of ['a'.repeat(2000), '['.repeat(500)]) {
      const socket = await raw(listening)
      socket.write(`POST /${path} HTTP/1.1\r\n\r\n${initialize}\n`)
      expect(await textOf(socket)).toBe('')
    }
  })

  // [rpc.custom-transport.reuse-stdio-framing]
  test('nonsense after a message is answered, and the connection lives', async () => {
    await using listening = await serveSocket(featureServer(), { path: freshPath() })
    const socket = await raw(listening)
    socket.write(`${initialize}\nnonsense\n${'['.repeat(100_000)}\n{"jsonrpc":"2.0","id":9,"method":"ping"}\n`)
    socket.end()
    const answers = (await textOf(socket))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers).toMatchObject([
      { id: 1 },
      { error: { code: -32700 } },
      { error: { code: -32600 } },
      { id: 9, result: {} },
    ])
  })

  test('one client too many is told so', async () => {
    await using listening = await serveSocket(featureServer(), { path: freshPath() }, { maxConnections: 1 })
    await using client = await connect(() => socketChannel(listening.address))
    await client.ping()
    const refused = new Recorder()
    const channel = await socketChannel(listening.address)
    channel.open(refused)
    await refused.untilClosed()
    await channel.close()
    expect(refused.values).toMatchObject([{ error: { message: 'Too many connections (the limit is 1)' } }])
    await client.close()
    await until(() => listening.connections === 0)
    await using next = await connect(() => socketChannel(listening.address))
    await next.ping()
  })

  test('200 connections that are opened and dropped leave nothing behind', async () => {
    await using listening = await serveSocket(featureServer(), { port: 0 })
    for (let round = 0; round < 2; round++) {
      const sockets = await Promise.all(Array.from({ length: 100 }, () => raw(listening)))
      for (const [i, socket] of sockets.entries()) {
        socket.on('error', () => {})
        if (i % 3 === 0) socket.write(`${initialize}\n`)
        if (i % 2 === 0) socket.resetAndDestroy()
        else socket.destroy()
      }
      await until(() => listening.connections === 0)
    }
  })

  test('who asks and does not read is not read from either', async () => {
    const big = tool({ name: 'big', run: () => 'x'.repeat(100_000) })
    await using listening = await serveSocket(createServer({ name: 's', version: '1', tools: [big] }), {
      path: freshPath(),
    })
    const socket = await raw(listening)
    socket.write(`${initialize}\n`)
    const ask = '{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"big"}}\n'
    let asked = 0
    while (asked < 200_000 && socket.writableLength < 1_000_000) {
      socket.write(ask.repeat(100).replaceAll('ID', () => String(++asked + 1)))
      await new Promise((resolve) => setImmediate(resolve))
    }
    // It stopped reading requests long before they ran out: 20 GB of answers would be due.
    expect(asked).toBeLessThan(100_000)
    socket.destroy()
    await until(() => listening.connections === 0)
  })
})

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})

function raw({ address }: SocketServer): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = dial({ ...address, allowHalfOpen: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

async function textOf(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  socket.on('error', () => {})
  await new Promise((resolve) => {
    socket.on('end', resolve)
    socket.on('close', resolve)
  })
  socket.destroy()
  return text
}

/** A socket file whose server was killed. */
function leaveStale(path: string): void {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', script])
}
