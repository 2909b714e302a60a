/** Two clients behind one bridge, and a server that breaks every promise; real processes and sockets. */
import { fileURLToPath } from 'node:url'
import { type Client, connect, type Revision } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { describe, expect, test } from 'vitest'
import { bridge } from '../src/bridge.ts'

const args = [fileURLToPath(new URL('fixtures/hostile.mjs', import.meta.url))]

interface Someone {
  client: Client
  heard: string[]
}

/** A bridge with two clients that record every message they get. */
async function open(first: Revision, second: Revision) {
  const errors: unknown[] = []
  const between = bridge(
    { target: { command: process.execPath, args, restart: true } },
    { onError: (error) => errors.push(error) },
  )
  const http = await serveHttp(between.server, { port: 0 })
  const come = async (revision: Revision): Promise<Someone> => {
    const heard: string[] = []
    const client = await connect(http.url, {
      revisions: [revision],
      elicit: ({ message }) => {
        heard.push(message)
        return { action: 'decline' }
      },
    })
    return { client, heard }
  }
  const [one, other] = [await come(first), await come(second)]
  const close = async (): Promise<void> => {
    await Promise.all([one.client.close(), other.client.close()])
    await http.close()
    await between.close()
  }
  return { one, other, errors, [Symbol.asyncDispose]: close }
}

const pairs: [Revision, Revision][] = [
  ['2025-06-18', '2025-06-18'],
  ['2026-07-28', '2026-07-28'],
  ['2026-07-28', '2025-06-18'],
]

describe.each(pairs)('a client of %s and one of %s behind one bridge', (first, second) => {
  test('stay apart and are served, whatever the server says to one of them', async () => {
    await using desk = await open(first, second)
    const { one, other } = desk
    const stop = new AbortController()
    const progress: string[] = []
    // The second client always has a call in flight, so that misdirected messages could reach it.
    const waiting = other.client
      .callTool('mute', {}, { signal: stop.signal, onProgress: ({ message = '' }) => progress.push(message) })
      .then(({ text }) => `answered ${text}`)
      .catch((error: { code: unknown }) => error.code)
    const is = (text: string) => ({ text })
    const ways: [string, unknown][] = [
      ['twice', is('first')],
      ['foreign', is('mine')],
      ['questions', is('asked')],
      ['changes', is('changed')],
      ['flood', is('flooded')],
      ['garbage', is('after garbage')],
      ['odd', 'an error'],
      ['nothing', 'an error'],
      ['deep', 'an error'],
      ['huge', 'an error'],
    ]
    for (const [name, expected] of ways) {
      const given = await one.client.callTool(name, {}).catch(() => 'an error')
      if (typeof expected === 'string') expect(given, name).toBe(expected)
      else expect(given, name).toMatchObject(expected as object)
      const [mine, theirs] = await Promise.all([
        one.client.callTool('echo', { text: `one after ${name}` }),
        other.client.callTool('echo', { text: `other after ${name}` }),
      ])
      expect([mine.text, theirs.text]).toEqual([`one after ${name}`, `other after ${name}`])
    }
    stop.abort()
    expect(await waiting).toBe('cancelled')
    // A question that belongs to no call of a client is put to nobody else.
    expect(other.heard).toEqual([])
    expect(progress.filter((message) => message !== 'stray')).toEqual([])
  })

  test('go on when the server dies in the middle of an answer', async () => {
    await using desk = await open(first, second)
    const { one, other } = desk
    for (let times = 0; times < 3; times++) {
      await expect(one.client.callTool('dies', {})).rejects.toThrow('behind this bridge')
      const echo = ({ client }: Someone, text: string): Promise<string> =>
        client.callTool('echo', { text }).then((result) => result.text)
      // The first call after an end may be told of it; the one after that is served.
      await expect.poll(() => echo(one, 'one').catch(() => '')).toBe('one')
      await expect.poll(() => echo(other, 'other').catch(() => '')).toBe('other')
    }
  })
})

test('calls that are never answered are bounded, and leave nothing behind', async () => {
  await using desk = await open('2025-06-18', '2026-07-28')
  const { one, other } = desk
  const stop = new AbortController()
  const mute = Array.from({ length: 50 }, () =>
    one.client.callTool('mute', {}, { signal: stop.signal }).catch(() => 'ended'),
  )
  expect((await other.client.callTool('echo', { text: 'x' })).text).toBe('x')
  stop.abort()
  expect(new Set(await Promise.all(mute))).toEqual(new Set(['ended']))
  expect((await one.client.callTool('echo', { text: 'y' })).text).toBe('y')
})

test('clients are not told how the server is started, nor what it wrote', async () => {
  const code = 'process.stderr.write("secret-on-stderr"); process.exit(3)'
  const events: unknown[] = []
  const target = { command: process.execPath, args: ['-e', code, '--token=secret-in-arguments'] }
  const between = bridge({ target }, { onEvent: (event) => events.push(event), onError: () => {} })
  const http = await serveHttp(between.server, { port: 0 })
  for (const revision of ['2025-06-18', '2026-07-28'] as const) {
    const told = await connect(http.url, { revisions: [revision] })
      .then(async (client) => {
        const said = await client.callTool('echo', {}).catch((error: Error) => error.message)
        await client.close()
        return said
      })
      .catch((error: Error) => error.message)
    expect(told).toContain('The server behind this bridge cannot be used')
    expect(told).not.toMatch(/secret|node|token/)
  }
  // The operator of the bridge gets the error.
  expect(events.length).toBeGreaterThan(0)
  await http.close()
  await between.close()
})

test('clients that cannot be told apart share no tasks and no log level without sessions', async () => {
  const slow = tool({ name: 'slow', task: { required: true }, run: () => 'a secret' })
  const upstream = createServer({ name: 'upstream', version: '1', tools: [slow], logging: true })
  const link = bridge({ target: upstream })
  await using http = await serveHttp(link.server, { port: 0, sessions: false })
  const ask = async (method: string, params: object = {}): Promise<{ error?: { code: number }; result?: unknown }> => {
    const response = await fetch(http.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return response.json() as Promise<{ error?: { code: number } }>
  }
  const clientInfo = { name: 'a', version: '1' }
  const { result } = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  expect(Object.keys((result as { capabilities: object }).capabilities)).toEqual(['tools'])
  for (const [method, params] of [
    ['tasks/list', {}],
    ['tasks/get', { taskId: 'a' }],
    ['tasks/result', { taskId: 'a' }],
    ['tasks/cancel', { taskId: 'a' }],
    ['logging/setLevel', { level: 'debug' }],
  ] as const)
    expect(await ask(method, params)).toMatchObject({ error: { code: -32601 } })
  await link.close()
})
