/** Sessions that four processes serve, each request in turn by the next of them. Here the processes are servers in memory. */
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Client, type ConnectOptions, connect, type LogMessage } from '../../client.ts'
import { McpError } from '../../errors.ts'
import { fetchHandler, type HttpOptions } from '../../http.ts'
import type { Revision } from '../../model/revision.ts'
import { createServer, resource, type Server, tool } from '../../server.ts'
import { SharedMemoryLog, SharedMemorySessions, SlowBus } from '../stores/shared-memory.suite.ts'
import type { SessionState } from '../stores/stores.ts'
import { EventReader, initializeRequest } from '../tests/http.suite.ts'

const sessionRevisions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const satisfies readonly Revision[]

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

interface Seen {
  aborted: number[]
  /** Lets the slow tool finish. */
  release(): void
  readonly released: Promise<void>
}

function newSeen(): Seen {
  let release!: () => void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { aborted: [], release, released }
}

const sample = () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Ho' } }) as const

/** Each of them is a process of its own. */
function makeServer(name: number, seen: Seen): Server {
  return createServer({
    name: 'desk',
    version: '1',
    onError: (error) => expect.unreachable(String(error)),
    tools: [
      tool({ name: 'which', run: () => String(name) }),
      tool({
        name: 'greet',
        run: async (_input, ctx) => {
          const answer = await ctx.elicit('Name?', z.object({ name: z.string() }))
          return answer.action === 'accept' ? `Hello ${answer.content.name} from ${name}` : answer.action
        },
      }),
      tool({
        name: 'sample',
        run: async (_input, ctx) => {
          const messages = [{ role: 'user', content: { type: 'text', text: 'Hi' } } as const]
          return JSON.stringify((await ctx.sample({ messages, maxTokens: 5 })).content)
        },
      }),
      tool({ name: 'where', run: async (_input, ctx) => (await ctx.roots()).map(({ uri }) => uri).join() }),
      tool({
        name: 'hang',
        run: (_input, ctx) =>
          new Promise((_resolve, reject) => {
            ctx.signal.addEventListener('abort', () => {
              seen.aborted.push(name)
              reject(ctx.signal.reason)
            })
          }),
      }),
      tool({
        name: 'slow',
        run: async (_input, ctx) => {
          await ctx.log('info', 'started')
          await seen.released
          return 'done'
        },
      }),
      tool({
        name: 'log',
        run: async (_input, ctx) => {
          await ctx.log('debug', `from ${name}`)
          return 'logged'
        },
      }),
    ],
    resources: [resource({ uri: 'note://one', name: 'one', read: () => `read by ${name}` })],
  })
}

interface Cluster {
  readonly seen: Seen
  /** The number of requests that each process got. */
  readonly counts: number[]
  /** The ids of the sessions that were opened. */
  readonly sessions: Set<string>
  readonly servers: readonly Server[]
  open(options: ConnectOptions): Promise<Client>
  /** Opens a session without a client, and returns its id. */
  openRaw(revision: Revision): Promise<string>
  /** Sends a POST with a body, or a GET without one, to the next process. */
  send(session: string, request: RawRequest): Promise<Response>
}

interface RawRequest {
  readonly body?: object
  readonly lastEventId?: string | undefined
}

async function startCluster(options: HttpOptions = {}, size = 4): Promise<Cluster> {
  const sessions = { store: new SharedMemorySessions(), bus: new SlowBus() }
  const eventLog = new SharedMemoryLog()
  const seen = newSeen()
  const servers = Array.from({ length: size }, (_, index) => makeServer(index, seen))
  const handlers = servers.map((server) => fetchHandler(server, { allowedHosts: '*', sessions, eventLog, ...options }))
  endings.push(() => Promise.all(handlers.map((handler) => handler.close())))
  const counts = handlers.map(() => 0)
  const ids = new Set<string>()
  let next = 0
  const inTurn: typeof fetch = async (input, init) => {
    const target = next++ % size
    counts[target]!++
    const response = await handlers[target]!(new Request(input, init))
    const id = response.headers.get('mcp-session-id')
    if (id !== null) ids.add(id)
    return response
  }
  const open = async (options: ConnectOptions): Promise<Client> => {
    const client = await connect('http://cluster/mcp', { fetch: inTurn, ...options })
    endings.push(() => client.close())
    return client
  }
  const send: Cluster['send'] = (session, { body, lastEventId }) => {
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(session !== '' && { 'mcp-session-id': session }),
      ...(body && { 'content-type': 'application/json' }),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    }
    const content = body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) }
    return inTurn('http://cluster/mcp', { ...content, headers })
  }
  const openRaw = async (revision: Revision): Promise<string> => {
    const opened = await send('', { body: initializeRequest(revision) })
    const id = opened.headers.get('mcp-session-id')!
    await send(id, { body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
    return id
  }
  return { seen, counts, sessions: ids, servers, open, openRaw, send }
}

describe.each(sessionRevisions)('a session of %s over four processes', (revision) => {
  const revisions = [revision]

  test('is served by all of them', async () => {
    const cluster = await startCluster()
    const client = await cluster.open({ revisions })
    const names = await Promise.all(Array.from({ length: 8 }, async () => (await client.callTool('which')).text))
    expect([...new Set(names)].sort()).toEqual(['0', '1', '2', '3'])
  })

  test('brings answers to the process that asked', async () => {
    const cluster = await startCluster()
    const client = await cluster.open({
      revisions,
      ...(revision !== '2025-03-26' && { elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) as const }),
      sample,
      roots: [{ uri: 'file:///home/ada' }],
    })
    for (let round = 0; round < 4; round++) {
      if (revision !== '2025-03-26') expect((await client.callTool('greet')).text).toMatch(/^Hello Ada from \d$/)
      expect((await client.callTool('sample')).text).toContain('Ho')
      expect((await client.callTool('where')).text).toBe('file:///home/ada')
    }
  })

  test('asks on the stream that the client has open at another process', async () => {
    const cluster = await startCluster({ responseMode: 'json' })
    const client = await cluster.open({ revisions, sample })
    for (let round = 0; round < 5; round++) expect((await client.callTool('sample')).text).toContain('Ho')
  })

  test('goes on at another process with a stream that is still being written', async () => {
    const cluster = await startCluster({ responseMode: 'sse' })
    const id = await cluster.openRaw(revision)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } }
    const first = new EventReader(await cluster.send(id, { body: call }))
    const started = await first.message()
    expect(started).toMatchObject({ method: 'notifications/message', params: { data: 'started' } })
    await first.cancel()
    const second = new EventReader(await cluster.send(id, { lastEventId: first.lastEventId }))
    cluster.seen.release()
    expect(await second.message()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
    expect(await second.next()).toBeUndefined()
    const third = new EventReader(await cluster.send(id, { lastEventId: first.lastEventId }))
    expect(await third.message()).toMatchObject({ id: 1 })
    expect(await third.next()).toBeUndefined()
  })

  test('hears of changes in every process, once', async () => {
    const cluster = await startCluster()
    const client = await cluster.open({ revisions })
    const updates: string[] = []
    let lists = 0
    client.onChange('tools', () => lists++)
    await client.watch('note://one', ({ uri }) => updates.push(uri))
    for (let call = 0; call < 4; call++) await client.callTool('which')
    for (const server of cluster.servers) server.resources.changed('note://one')
    await expect.poll(() => updates.length).toBeGreaterThan(0)
    cluster.servers[2]!.tools.add(tool({ name: 'late', run: () => 'late' }))
    await expect.poll(() => lists).toBe(1)
    cluster.servers[3]!.tools.add(tool({ name: 'later', run: () => 'later' }))
    await expect.poll(() => lists).toBe(2)
    expect(updates.length).toBeLessThanOrEqual(4)
  })

  test('hears of changes that were made while it did not listen', async () => {
    const cluster = await startCluster()
    const id = await cluster.openRaw(revision)
    await cluster.send(id, {
      body: { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'note://one' } },
    })
    cluster.servers[1]!.resources.changed('note://one')
    cluster.servers[2]!.tools.add(tool({ name: 'late', run: () => 'late' }))
    const first = new EventReader(await cluster.send(id, {}))
    const told = [await first.message(), await first.message()]
    expect(told.map((message) => message!.method).sort()).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ])
    await first.cancel()
    cluster.servers[0]!.tools.add(tool({ name: 'later', run: () => 'later' }))
    const second = new EventReader(await cluster.send(id, { lastEventId: first.lastEventId }))
    expect(await second.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
  })

  test('has one stream for messages that belong to no request, wherever it was opened last', async () => {
    const cluster = await startCluster()
    const id = await cluster.openRaw(revision)
    const first = new EventReader(await cluster.send(id, {}))
    const second = new EventReader(await cluster.send(id, {}))
    expect((await first.rest()).filter(({ data }) => data !== '')).toEqual([])
    // A client that gets no event has a number to go on from all the same, where that is allowed.
    expect(first.lastEventId !== undefined).toBe(revision === '2025-11-25')
    cluster.servers[0]!.tools.add(tool({ name: 'late', run: () => 'late' }))
    expect(await second.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
  })

  test('is cancelled in the process that works', async () => {
    const cluster = await startCluster()
    const client = await cluster.open({ revisions })
    const stop = new AbortController()
    const call = client.callTool('hang', {}, { signal: stop.signal })
    await expect.poll(() => cluster.counts.reduce((sum, count) => sum + count)).toBeGreaterThan(3)
    stop.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => cluster.seen.aborted).toHaveLength(1)
  })

  test('has one log level', async () => {
    const cluster = await startCluster()
    const logs: LogMessage[] = []
    const client = await cluster.open({ revisions, onLog: (message) => logs.push(message) })
    for (let call = 0; call < 4; call++) await client.callTool('log')
    expect(logs).toEqual([])
    await client.setLoggingLevel('debug')
    for (let call = 0; call < 4; call++) await client.callTool('log')
    expect(logs.map(({ data }) => data).sort()).toEqual(['from 0', 'from 1', 'from 2', 'from 3'])
  })

  test('has ended everywhere when its client ends it', async () => {
    const cluster = await startCluster()
    const client = await cluster.open({ revisions })
    await Promise.all(Array.from({ length: 8 }, () => client.callTool('which')))
    const [id] = cluster.sessions
    await client.close()
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const statuses = await Promise.all(
      Array.from({ length: 4 }, async () => (await cluster.send(id!, { body: ping })).status),
    )
    expect(statuses).toEqual([404, 404, 404, 404])
  })
})

/** A store that can be away. */
class FailingSessions extends SharedMemorySessions {
  away = false
  readonly used: string[] = []

  override async use(id: string, version: number): Promise<SessionState | 'unchanged' | 'ended'> {
    if (this.away) throw new McpError('unavailable', 'the store at 10.0.0.7 is away')
    this.used.push(id)
    return super.use(id, version)
  }
}

const headersOf = (session: string) => ({
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-session-id': session,
})

async function openOn(store: FailingSessions, onError: (error: unknown) => void) {
  const server = createServer({
    name: 'desk',
    version: '1',
    onError,
    tools: [tool({ name: 'which', run: () => 'one' })],
  })
  const handler = fetchHandler(server, { allowedHosts: '*', sessions: { store, idleMs: 1 } })
  endings.push(() => handler.close())
  const post = (body: object, headers = headersOf('')) =>
    handler(new Request('http://cluster/mcp', { method: 'POST', headers, body: JSON.stringify(body) }))
  const { 'mcp-session-id': _none, ...first } = headersOf('')
  const opened = await post(initializeRequest('2025-11-25'), first as ReturnType<typeof headersOf>)
  return { handler, id: opened.headers.get('mcp-session-id')!, post }
}

test('a store that is away: the client may try again, and the operator hears why', async () => {
  const [store, errors] = [new FailingSessions(), [] as unknown[]]
  const { id, post } = await openOn(store, (error) => errors.push(error))
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  store.away = true
  const refused = await post(ping, headersOf(id))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({
    error: {
      code: -32603,
      message: expect.stringMatching(/^The server cannot answer at the moment \(id \S+\)$/),
      data: { reason: 'unavailable' },
    },
  })
  expect(errors).toMatchObject([{ code: 'unavailable', message: 'the store at 10.0.0.7 is away' }])
  store.away = false
  expect((await post(ping, headersOf(id))).status).toBe(200)
})

test('an event that cannot be kept is sent to the client that is connected', async () => {
  class FailingLog extends SharedMemoryLog {
    override append(): Promise<number> {
      return Promise.reject(new McpError('unavailable', 'the log is away'))
    }
  }
  const count = tool({
    name: 'count',
    async run(_input, ctx) {
      for (let step = 1; step <= 3; step++) await ctx.progress(step)
      return 'counted'
    },
  })
  const server = createServer({ name: 'desk', version: '1', tools: [count], onError: () => {} })
  const store = new SharedMemorySessions()
  const handler = fetchHandler(server, { allowedHosts: '*', sessions: { store }, eventLog: new FailingLog() })
  endings.push(() => handler.close())
  const toHandler: typeof fetch = (input, init) => handler(new Request(input, init))
  const client = await connect('http://cluster/mcp', { revisions: ['2025-11-25'], fetch: toHandler })
  const heard: number[] = []
  const { text } = await client.callTool('count', {}, { onProgress: ({ progress }) => heard.push(progress) })
  expect([text, heard]).toEqual(['counted', [1, 2, 3]])
  await client.close()
})

test('a session with an open stream is not idle for its store', async () => {
  const store = new FailingSessions()
  const { handler, id } = await openOn(store, (error) => expect.unreachable(String(error)))
  const stream = await handler(new Request('http://cluster/mcp', { headers: headersOf(id) }))
  const before = store.used.length
  await expect.poll(() => store.used.length).toBeGreaterThan(before)
  await stream.body!.cancel()
})

test('used states can be shared by the endpoint, and requests that need them wait while they are away', async () => {
  const memory = new Set<string>()
  let away = false
  const spentStates = {
    spend: async (id: string) => {
      if (away) throw new McpError('unavailable', 'the store is away')
      return memory.size < memory.add(id).size
    },
    release: async (id: string) => void memory.delete(id),
  }
  const server = createServer({
    name: 'desk',
    version: '1',
    onError: () => {},
    tools: [tool({ name: 'greet', run: async (_input, ctx) => (await ctx.elicit('Sure?', z.object({}))).action })],
  })
  const handler = fetchHandler(server, { allowedHosts: '*', spentStates })
  endings.push(() => handler.close())
  const answers: [number, string | null][] = []
  const client = await connect('http://cluster/mcp', {
    revisions: ['2026-07-28'],
    elicit: () => ({ action: 'decline' }),
    fetch: async (input, init) => {
      const response = await handler(new Request(input, init))
      answers.push([response.status, response.headers.get('retry-after')])
      return response
    },
  })
  endings.push(() => client.close())
  expect((await client.callTool('greet')).text).toBe('decline')
  expect(memory.size).toBe(1)
  away = true
  await expect(client.callTool('greet')).rejects.toMatchObject({ code: -32603 })
  expect(answers.at(-1)).toEqual([503, '5'])
})

describe('a bus that cannot be listened to', () => {
  const away = new Error('the bus is away')
  const buses = {
    rejects: { publish: () => {}, subscribe: () => Promise.reject(away) },
    throws: {
      publish: () => {},
      subscribe: () => {
        throw away
      },
    },
    'rejects at the end': { publish: () => {}, subscribe: () => () => Promise.reject(away) as never },
  }
  test.each(Object.entries(buses))('(%s) is reported, and the server serves and closes', async (_, bus) => {
    const errors: unknown[] = []
    const server = createServer({ name: 'desk', version: '1', onError: (error) => errors.push(error) })
    const store = new SharedMemorySessions()
    const handler = fetchHandler(server, {
      allowedHosts: '*',
      sessions: { store, bus },
      eventLog: new SharedMemoryLog(),
    })
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const body = JSON.stringify(initializeRequest())
    const reply = await handler(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
    expect(reply.status).toBe(200)
    await handler.close()
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors) expect(error).toBe(away)
  })
})
