/** The memory that clients can take is bounded in bytes: each flood is refused, and others are served. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { KeptKind } from '../../internal/budget.ts'
import { tasksExtension } from '../../model/tasks.ts'
import { resourceTemplate } from '../../server/features/resource.ts'
import { tool } from '../../server/features/tool.ts'
import { createServer, type Server } from '../../server/server.ts'
import type { HttpOptions } from '../options.ts'
import { MemoryEventLog } from '../stores/memory-event-log.ts'
import { MemorySessionStore } from '../stores/memory-session-store.ts'
import { adapters } from './adapters.suite.ts'
import {
  EventReader,
  initializeRequest,
  post,
  type Served,
  SessionClient,
  statelessMeta,
  statelessRequest,
} from './http.suite.ts'

/** The least that a server takes: shares of 128 and 192 KiB. */
const maxKeptBytes = 1024 * 1024
const input = { type: 'object', properties: { text: { type: 'string' }, n: { type: 'integer' } } } as const

describe.each(adapters)('bytes that are kept over %s', (_name, serve) => {
  let served: Served
  let server: Server
  let release: (() => void)[]

  const start = async (options: HttpOptions = {}, limit: number = maxKeptBytes): Promise<void> => {
    release = []
    server = createServer({
      name: 'kept',
      version: '1',
      limits: { maxKeptBytes: limit },
      tools: [
        tool({ name: 'echo', input, run: () => 'echo' }),
        tool({ name: 'big', input, run: ({ n }) => 'x'.repeat((n as number | undefined) ?? 0) }),
        tool({ name: 'hold', input, run: () => new Promise<string>((resolve) => release.push(() => resolve('held'))) }),
        tool({ name: 'job', input, task: true, run: ({ n }) => 'y'.repeat((n as number | undefined) ?? 0) }),
      ],
      resources: [resourceTemplate({ uriTemplate: 'note:///{id}', name: 'n', read: () => 'x' })],
    }) as Server
    served = await serve(server, options)
  }
  afterEach(async () => {
    for (const one of release) one()
    await served.close()
  })

  const bytes = (kind: KeptKind): number => server.kept[kind].bytes
  const call = (name: string, args: object, id = 1): Promise<Response> =>
    served.fetch('/mcp', statelessRequest('tools/call', { name, arguments: args }, {}, id))
  const job = async (args: object): Promise<{ status: number; body: { result: { taskId: string } } }> => {
    const _meta = statelessMeta({ extensions: { [tasksExtension]: {} } })
    const response = await served.fetch('/mcp', statelessRequest('tools/call', { name: 'job', arguments: args, _meta }))
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const othersAreServed = async (): Promise<void> => {
    expect((await call('echo', {})).status).toBe(200)
    const client = await SessionClient.open(served)
    expect((await client.call('echo')).status).toBe(200)
    await client.delete()
  }
  const refusedFor = async (response: Response, kind: KeptKind): Promise<void> => {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    const { error } = JSON.parse(await response.text())
    expect(error).toMatchObject({ code: -32603, data: { reason: 'memory', kind } })
  }

  describe('sessions', () => {
    test('only what is used of initialize is kept', async () => {
      const store = new MemorySessionStore()
      await start({ sessions: { store } })
      const { params, ...request } = initializeRequest() as { params: object }
      const body = {
        ...request,
        params: { ...params, _meta: { junk: 'x'.repeat(50_000) }, junk: 'y'.repeat(50_000) },
      }
      const response = await served.fetch('/mcp', post(body))
      expect(response.status).toBe(200)
      expect(store.get(response.headers.get('mcp-session-id')!)?.initialize).toEqual(params)
      expect(bytes('sessions')).toBeLessThan(3_000)
    })

    test('a client that says too much about itself is refused, and the limit is named', async () => {
      await start()
      const experimental = { junk: { text: 'x'.repeat(70_000) } }
      const response = await served.fetch('/mcp', post(initializeRequest('2025-11-25', { experimental })))
      expect(response.headers.get('mcp-session-id')).toBeNull()
      const { error } = JSON.parse(await response.text())
      expect(error).toMatchObject({ code: -32602, data: { limit: 65_536, size: expect.any(Number) } })
      expect(error.message).toMatch(/clientInfo and capabilities of at most 65536 bytes in memory, got 7\d{4}/)
      expect(bytes('sessions')).toBe(0)
    })

    test('icons that are too large are left out, as they are only shown', async () => {
      const store = new MemorySessionStore()
      await start({ sessions: { store } })
      const request = initializeRequest() as { params: { clientInfo: object } }
      const clientInfo = {
        ...request.params.clientInfo,
        icons: [{ src: `data:image/png;base64,${'A'.repeat(100_000)}` }],
      }
      const response = await served.fetch('/mcp', post({ ...request, params: { ...request.params, clientInfo } }))
      expect(response.status).toBe(200)
      expect(store.get(response.headers.get('mcp-session-id')!)?.initialize).toEqual(request.params)
    })

    test('a flood of large ones ends the idle ones, and leaves room for others', async () => {
      await start()
      const experimental = { junk: { text: 'x'.repeat(60_000) } }
      const ids: string[] = []
      for (let i = 0; i < 10; i++) {
        const response = await served.fetch('/mcp', post(initializeRequest('2025-11-25', { experimental })))
        ids.push(response.headers.get('mcp-session-id')!)
        expect(bytes('sessions')).toBeLessThanOrEqual(server.kept.sessions.limit)
      }
      expect(new Set(ids).size).toBe(10)
      const ping = post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': ids[0]! })
      expect((await served.fetch('/mcp', ping)).status).toBe(404)
      await othersAreServed()
    })

    test('one that is in use is not ended for a new one, which is refused', async () => {
      await start()
      const capabilities = { experimental: { junk: { text: 'x'.repeat(60_000) } } }
      const clients = [
        await SessionClient.open(served, '2025-11-25', {}, capabilities),
        await SessionClient.open(served, '2025-11-25', {}, capabilities),
        await SessionClient.open(served, '2025-11-25', {}, capabilities),
      ]
      const streams = await Promise.all(clients.map(async (client) => new EventReader(await client.get())))
      await refusedFor(await served.fetch('/mcp', post(initializeRequest('2025-11-25', capabilities))), 'sessions')
      for (const client of clients) expect((await client.call('echo')).status).toBe(200)
      for (const stream of streams) await stream.cancel()
      for (const client of clients) await client.delete()
      expect(bytes('sessions')).toBe(0)
    })
  })

  describe('subscriptions', () => {
    const listen = (resourceSubscriptions: string[], id: number): Promise<Response> =>
      served.fetch(
        '/mcp',
        statelessRequest('subscriptions/listen', { notifications: { resourceSubscriptions } }, {}, id),
      )

    test('listens are refused when they take too much, and give everything back', async () => {
      await start()
      const open: EventReader[] = []
      let refused: Response | undefined
      while (refused === undefined && open.length < 20) {
        const response = await listen([`note:///${open.length}${'x'.repeat(30_000)}`], open.length + 1)
        if (response.status !== 200) refused = response
        else {
          const events = new EventReader(response)
          await events.message()
          open.push(events)
        }
      }
      expect(open.length).toBeGreaterThan(2)
      await refusedFor(refused!, 'subscriptions')
      await othersAreServed()
      for (const events of open) await events.cancel()
      await expect.poll(() => bytes('subscriptions')).toBe(0)
    })

    test('what a listen asks for is not kept, only what it gets', async () => {
      await start()
      const notifications = { resourceSubscriptions: ['note:///a', `no-such:${'x'.repeat(30_000)}`] }
      const params = { notifications, junk: 'y'.repeat(50_000) }
      const events = new EventReader(await served.fetch('/mcp', statelessRequest('subscriptions/listen', params)))
      expect((await events.message()).params).toMatchObject({ notifications: { resourceSubscriptions: ['note:///a'] } })
      expect(bytes('subscriptions')).toBeLessThan(4_000)
      expect(bytes('calls')).toBe(0)
      await events.cancel()
    })

    test('URIs of one client are bounded in all', async () => {
      await start({}, 64 * 1024 * 1024)
      const uris = Array.from({ length: 40 }, (_, i) => `note:///${i}${'x'.repeat(30_000)}`)
      const { error } = JSON.parse(await (await listen(uris, 1)).text())
      expect(error).toMatchObject({ code: -32602, data: { limit: 1024 * 1024 } })
      const client = await SessionClient.open(served)
      const answers: string[] = []
      for (const [id, uri] of uris.entries()) {
        const request = { jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri } }
        answers.push(await (await client.post(request)).text())
      }
      const codes = answers.map((text) => JSON.parse(text).error?.code as number | undefined)
      expect(codes.indexOf(-32602)).toBe(Math.floor((1024 * 1024) / 30_100))
      expect(new Set(codes)).toEqual(new Set([undefined, -32602]))
      await client.delete()
      await expect.poll(() => bytes('subscriptions')).toBe(0)
    })
  })

  describe('tasks', () => {
    const get = async (taskId: string): Promise<{ status: string; error?: object; result?: object }> => {
      const _meta = statelessMeta({ extensions: { [tasksExtension]: {} } })
      const response = await served.fetch(
        '/mcp',
        statelessRequest('tasks/get', { taskId, _meta }, { 'mcp-name': taskId }),
      )
      return JSON.parse(await response.text()).result
    }

    test('arguments are dropped when a task ends, so that many large ones can run one after the other', async () => {
      await start()
      for (let i = 0; i < 10; i++) {
        const { status, body } = await job({ text: 'x'.repeat(100_000) })
        expect(status).toBe(200)
        await expect.poll(async () => (await get(body.result.taskId)).status).toBe('completed')
      }
      expect(bytes('tasks')).toBeLessThan(30_000)
    })

    test('results are kept, and counted: a task whose result has no room fails and says why', async () => {
      await start()
      const first = (await job({ n: 120_000 })).body.result.taskId
      await expect.poll(async () => (await get(first)).status).toBe('completed')
      expect(bytes('tasks')).toBeGreaterThan(120_000)
      const second = (await job({ n: 120_000 })).body.result.taskId
      await expect.poll(async () => (await get(second)).status).toBe('failed')
      expect((await get(second)).error).toMatchObject({ code: -32603, data: { reason: 'memory', kind: 'tasks' } })
      expect((await job({ text: 'x'.repeat(100_000) })).status).toBe(503)
      await othersAreServed()
    })
  })

  describe('calls', () => {
    test('those that wait are counted, more are refused, and answers and cancellations still come in', async () => {
      await start()
      const client = await SessionClient.open(served)
      const held: Promise<Response>[] = []
      for (let i = 0; i < 10 && bytes('calls') < server.kept.calls.limit; i++) {
        held.push(client.call('hold', { text: 'x'.repeat(30_000) }, {}, {}, 100 + i))
        await expect.poll(() => release.length).toBe(i + 1)
      }
      await refusedFor(await call('hold', { text: 'small' }), 'calls')
      const { error } = JSON.parse(await (await client.call('echo')).text())
      expect(error).toMatchObject({ code: -32603, data: { reason: 'memory', kind: 'calls' } })
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 100 } }
      expect((await client.post(cancelled)).status).toBe(202)
      for (const one of release) one()
      for (const response of held) await (await response).text()
      await expect.poll(() => bytes('calls')).toBe(0)
      await othersAreServed()
    })

    test('a large one is refused before it runs', async () => {
      await start()
      // A text of 75,000 characters that takes two megabytes when it is read.
      await refusedFor(await call('hold', { values: Array.from({ length: 25_000 }, () => ({})) }), 'calls')
      expect(release).toEqual([])
    })
  })

  test('a body that there is no memory for is refused, and what had come is given back', async () => {
    await start()
    const response = await call('echo', { text: 'x'.repeat(500_000) })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.text()).toContain('no memory left for request bodies')
    expect(bytes('bodies')).toBe(0)
    await othersAreServed()
  })

  test('the event log forgets the oldest streams, and counts what a stream takes besides its text', async () => {
    await start({ responseMode: 'sse' })
    const client = await SessionClient.open(served)
    for (let i = 0; i < 500; i++) await (await client.call('echo', {}, {}, {}, i)).text()
    expect(bytes('events')).toBeGreaterThan(100_000)
    expect(bytes('events')).toBeLessThanOrEqual(server.kept.events.limit)
    await client.delete()
    expect(bytes('events')).toBe(0)
  })

  test('everything is given back when the endpoint closes', async () => {
    await start()
    const client = await SessionClient.open(served)
    const stream = new EventReader(await client.get())
    const listening = new EventReader(
      await served.fetch(
        '/mcp',
        statelessRequest('subscriptions/listen', { notifications: { resourceSubscriptions: ['note:///a'] } }),
      ),
    )
    await listening.message()
    await served.close()
    await Promise.all([stream.rest(), listening.rest()])
    const rest = { sessions: bytes('sessions'), subscriptions: bytes('subscriptions'), events: bytes('events') }
    expect(rest).toEqual({ sessions: 0, subscriptions: 0, events: 0 })
  })
})

test('the age of events does not depend on the clock of the machine', () => {
  let steady = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => steady)
  const wall = vi.spyOn(Date, 'now').mockReturnValue(1_000_000_000)
  try {
    const log = new MemoryEventLog({ ttlMs: 1_000 })
    log.append('s', 'a', 'one')
    // Set forward by an hour, nothing is forgotten early; set back by one, nothing is kept too long.
    wall.mockReturnValue(1_000_000_000 + 3_600_000)
    expect(log.after('s', 'a', 0)).toHaveLength(1)
    wall.mockReturnValue(1_000_000_000 - 3_600_000)
    steady += 1_001
    expect(log.after('s', 'a', 0)).toBeUndefined()
  } finally {
    vi.restoreAllMocks()
  }
})

test('a budget that cannot hold the usual messages is refused when the server is made', () => {
  for (const maxKeptBytes of [0, -1, 1.5, Number.NaN, 1024 * 1024 - 1]) {
    expect(() => createServer({ name: 'x', version: '1', limits: { maxKeptBytes } })).toThrow(
      /limits\.maxKeptBytes: expected an integer of 1048576 or more/,
    )
  }
})
