import { expect, test } from 'vitest'
import type { Channel } from '../../jsonrpc/channel.ts'
import { tool } from '../../server/features/tool.ts'
import { createServer } from '../../server/server.ts'
import { serveWebSocket } from '../../websocket.ts'
import { connect } from '../connect.ts'
import { legacyServer, ScriptedServer } from '../scripted-server.suite.ts'
import { openChannel } from './open-channel.ts'
import { openTarget } from './target.ts'

test('a URL that is not one of HTTP is refused', async () => {
  for (const url of ['ftp://example.com/mcp', new URL('file:///tmp/server')]) {
    await expect(connect(url)).rejects.toMatchObject({ code: 'unsupported', message: expect.stringMatching(/http/) })
  }
})

test('nonsense is refused by name', () => {
  for (const target of [{}, null, 5, { open() {} }]) {
    expect(() => openTarget(target as never)).toThrow(/target: expected/)
  }
})

test.each([
  [undefined, 'got nothing'],
  [Promise.resolve(), 'got a promise, which has to be awaited first'],
  [{ url: 'https://example.com' }, 'got an object with the members url'],
  ['http://localhost:99999/mcp', 'the port is 99999, and the largest one is 65535'],
  [{ command: 'node', args: 'server.js' }, 'args: expected an array of strings, got a string'],
  [{ command: 'node', args: ['server.js', 5] }, 'args: expected an array of strings, got an integer'],
])('a wrong target is named: %o', async (target, problem) => {
  await expect(connect(target as never)).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining(problem),
  })
})

test('a channel, a function and a server definition are opened as they are', async () => {
  const scripted = legacyServer()
  const definition = {
    connect(channel: Channel) {
      channel.open({
        receive: (value) => {
          const { id, method } = value as { id?: number; method: string }
          const error = { code: -32601, message: method }
          if (method === 'initialize') {
            const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'd', version: '1' } }
            channel.send({ jsonrpc: '2.0', id: id!, result })
          } else if (id !== undefined) channel.send({ jsonrpc: '2.0', id, error })
        },
        refuse: () => {},
        closed: () => {},
      })
    },
  }
  for (const target of [
    scripted.open,
    legacyServer().open(),
    definition,
    async () => new ScriptedServer(script).open(),
  ]) {
    await using client = await connect(target)
    expect(client.server.revision).toMatch(/^2025/)
  }
})

const script = {
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
}

test('a WebSocket URL opens a WebSocket', async () => {
  const server = createServer({ name: 'sockets', version: '1', tools: [tool({ name: 'hi', run: () => 'hello' })] })
  await using listening = await serveWebSocket(server, { port: 0 })
  await using client = await connect(listening.url!)
  expect(client.server.info).toMatchObject({ name: 'sockets' })
  expect((await client.callTool('hi')).text).toBe('hello')
})

test('a channel can be had without a word being said on it', async () => {
  const greet = tool({ name: 'greet', run: () => 'Good day' })
  const channel = await openChannel(createServer({ name: 'door', version: '1.0.0', tools: [greet] }))
  const received: unknown[] = []
  const answered = new Promise<void>((resolve) => {
    const receive = (value: unknown): void => {
      received.push(value)
      resolve()
    }
    channel.open({ receive, refuse: () => {}, closed: () => {} })
  })
  channel.send({ jsonrpc: '2.0', id: 'a', method: 'tools/list' })
  await answered
  await channel.close()
  expect(received).toMatchObject([{ id: 'a', error: {} }])
})
