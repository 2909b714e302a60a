/** The client against the HTTP server of this library, in every revision and with both engines. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ownPort } from '../../../../scripts/own-port.ts'
import { connect } from '../client/connect.ts'
import { type HttpServer, serveHttp } from '../http-server/serve-http.ts'
import { revisions } from '../model/revision.ts'
import { createServer, resource, tool } from '../server.ts'
import type { HttpClientOptions, StreamState } from './http-options.ts'
import { forgetServers } from './verdicts.ts'

const engines: [string, HttpClientOptions][] = [
  ['node', {}],
  ['fetch', { fetch: (input, init) => globalThis.fetch(input, init) }],
]

let aborted: (reason: unknown) => void = () => {}
const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), run: ({ a, b }) => String(a + b) })
const work = tool({
  name: 'work',
  async run(_, ctx) {
    for (let step = 1; step <= 3; step++) await ctx.progress(step, 3)
    return 'done'
  },
})
const wait = tool({
  name: 'wait',
  run: (_, ctx) =>
    new Promise<string>((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => {
        aborted(ctx.signal.reason)
        reject(ctx.signal.reason)
      })
    }),
})
const routed = tool({
  name: 'routed',
  input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } as const,
  run: (input) => JSON.stringify(input),
})
const ask = tool({
  name: 'ask',
  run: async (_, ctx) => JSON.stringify(await ctx.elicit('Name?', z.object({ name: z.string() }))),
})

const note = resource({ uri: 'note:///a', name: 'a', read: () => 'a' })
const definition = createServer({ name: 'http', version: '1.0.0', tools: [add, work, wait, routed, ask] })
let http: HttpServer

beforeAll(async () => {
  http = await serveHttp(definition)
})
afterAll(() => http.close())
beforeEach(() => forgetServers())

describe.each(engines)('over %s', (_, options) => {
  describe.each(revisions)('in %s', (revision) => {
    const reach = (more = {}) => connect(http.url, { ...options, revisions: [revision], ...more })

    // [http.compat.implement-old-revision]
    test('tools are listed and called, many at once', async () => {
      await using client = await reach()
      expect(client.server.revision).toBe(revision)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('add')
      const sums = await Promise.all(Array.from({ length: 50 }, (_call, i) => client.callTool('add', { a: i, b: 1 })))
      expect(sums.map(({ text }) => text)).toEqual(sums.map((_call, i) => String(i + 1)))
    })

    test('progress comes before the answer', async () => {
      await using client = await reach()
      const steps: number[] = []
      const { text } = await client.callTool('work', {}, { onProgress: ({ progress }) => steps.push(progress) })
      expect([text, steps]).toEqual(['done', [1, 2, 3]])
    })

    test('a cancelled call stops the handler', async () => {
      await using client = await reach()
      const stopped = new Promise((resolve) => {
        aborted = resolve
      })
      const stop = new AbortController()
      const call = client.callTool('wait', {}, { signal: stop.signal })
      setTimeout(() => stop.abort(), 100)
      await expect(call).rejects.toMatchObject({ code: 'cancelled' })
      await stopped
    })

    test('arguments that travel in headers are understood, known or not', async () => {
      await using client = await reach()
      expect((await client.callTool('routed', { region: 'größe ' })).text).toBe('{"region":"größe "}')
      await client.listTools()
      expect((await client.callTool('routed', { region: 'eu' })).text).toBe('{"region":"eu"}')
    })

    if (revision >= '2025-06-18' && revision < '2026') {
      test('the server asks the user during a call', async () => {
        await using client = await reach({ elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) })
        expect((await client.callTool('ask')).text).toContain('Ada')
      })
    }
  })

  test('the newest revision is found', async () => {
    await using client = await connect(http.url, options)
    expect(client.server.revision).toBe('2026-07-28')
  })

  test('a server that was started again gets a new session, and the call succeeds', async () => {
    const first = await serveHttp(definition, { port: await ownPort() })
    const states: string[] = []
    const onStream = ({ kind }: StreamState): void => void states.push(kind)
    const httpLimits = { reconnectMs: 1_000 }
    await using client = await connect(first.url, { ...options, revisions: ['2025-11-25'], onStream, httpLimits })
    await client.callTool('add', { a: 1, b: 1 })
    await expect.poll(() => states).toEqual(['open'])
    await first.close()
    // By then the client has noticed the loss of its connections.
    await expect.poll(() => states).toEqual(['open', 'waiting'])
    await using second = await serveHttp(definition, { port: first.port })
    expect(second.port).toBe(first.port)
    expect((await client.callTool('add', { a: 1, b: 1 })).text).toBe('2')
  })

  // [sub.end.client-http]
  test('news of a stateless server arrive on a subscription, which ends with the client', async () => {
    const server = createServer({ name: 'news', version: '1.0.0', tools: [add], resources: [note] })
    await using own = await serveHttp(server, { maxListens: 1 })
    for (let times = 0; times < 3; times++) {
      await using client = await connect(own.url, { ...options, httpLimits: { reconnectMs: 10 } })
      expect(client.server.revision).toBe('2026-07-28')
      const seen: string[] = []
      client.onChange('tools', () => seen.push('tools'))
      // The server has room for one: it must have noticed that the last client is gone.
      await expect
        .poll(() =>
          client
            .watch('note:///a', ({ uri }) => seen.push(uri))
            .then(
              () => true,
              () => false,
            ),
        )
        .toBe(true)
      server.resources.changed('note:///a')
      await expect.poll(() => seen.splice(0)).toEqual(['note:///a'])
      server.tools.add(work)
      server.tools.remove(work.name)
      await expect.poll(() => seen.splice(0)).toEqual(['tools'])
    }
  })

  test('news of the server arrive on its own stream', async () => {
    const server = createServer({ name: 'news', version: '1.0.0', tools: [add] })
    await using own = await serveHttp(server)
    let opened: () => void = () => {}
    const open = new Promise<void>((resolve) => {
      opened = resolve
    })
    await using client = await connect(own.url, {
      ...options,
      revisions: ['2025-11-25'],
      onStream: ({ kind }) => kind === 'open' && opened(),
    })
    await open
    const changed = new Promise<void>((resolve) => client.onChange('tools', resolve))
    server.tools.add(work)
    await changed
    expect((await client.listTools()).tools).toHaveLength(2)
  })
})
