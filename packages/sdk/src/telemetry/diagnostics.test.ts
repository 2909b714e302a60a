/** The `diagnostics_channel` events of real clients and servers, in both eras, in memory and over HTTP. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel, type TracingChannelSubscribers, tracingChannel } from 'node:diagnostics_channel'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { validateMessage } from '../../test/wire-schema.ts'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ConnectOptions } from '../client/options.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { type Revision, revisions } from '../model/revision.ts'
import { serveHttp } from '../node.ts'
import { createServer, resource, tool } from '../server.ts'
import { testClient } from '../testing.ts'
import type { ConnectionEvent, RequestEvent, RequestKind } from './events.ts'

const kinds = ['server.request', 'server.ask', 'client.request', 'client.answer'] as const
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

const undo: (() => void)[] = []
afterEach(() => {
  for (const step of undo.splice(0)) step()
})

interface Seen {
  phase: string
  event: RequestEvent
  /** The event as it was at that moment. */
  atThatTime: RequestEvent
}

/** All events of requests of a kind, until the end of the test. */
function hear(kind: RequestKind): Seen[] {
  const seen: Seen[] = []
  const note = (phase: string) => (event: object) =>
    void seen.push({ phase, event: event as RequestEvent, atThatTime: { ...(event as RequestEvent) } })
  const subscribers = Object.fromEntries(
    ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((phase) => [phase, note(phase)]),
  ) as unknown as TracingChannelSubscribers<object>
  const traced = tracingChannel(`tenon:${kind}`)
  traced.subscribe(subscribers)
  undo.push(() => traced.unsubscribe(subscribers))
  return seen
}

function hearConnections(side: 'client' | 'server'): ConnectionEvent[] {
  const seen: ConnectionEvent[] = []
  const note = (event: unknown): void => void seen.push(event as ConnectionEvent)
  const plain = channel(`tenon:${side}.connection`)
  plain.subscribe(note)
  undo.push(() => plain.unsubscribe(note))
  return seen
}

const ended = (seen: Seen[], method: string): RequestEvent[] =>
  seen.filter(({ phase, event }) => phase === 'asyncEnd' && event.method === method).map(({ event }) => event)

const make = () =>
  createServer({
    name: 'test',
    version: '1.2.3',
    tools: [
      tool({ name: 'add', input: z.object({ a: z.number() }), run: ({ a }) => `${a + 1}` }),
      tool({ name: 'fail', run: (_, ctx) => ctx.error('no') }),
      tool({
        name: 'ask',
        run: async (_, ctx) => {
          const { action } = await ctx.elicit('Sure?', z.object({}))
          return action
        },
      }),
      tool({ name: 'trace', run: (_, ctx) => JSON.stringify(ctx.trace ?? null) }),
    ],
    resources: [resource({ uri: 'a:b', name: 'a', read: () => 'x' })],
  })

type Open = (options: ConnectOptions) => Promise<{ client: Client; transport: string; close(): Promise<void> }>

const ways: { [transport: string]: Open } = {
  memory: async (options) => {
    const client = await connect(make(), options)
    return { client, transport: 'memory', close: () => client.close() }
  },
  http: async (options) => {
    const http = await serveHttp(make(), { port: 0 })
    const client = await connect(http.url, options)
    const close = async (): Promise<void> => {
      await client.close()
      await http.close()
    }
    return { client, transport: 'http', close }
  },
}

describe.each(Object.entries(ways))('over %s', (_, open) => {
  describe.each(['2025-11-25', '2026-07-28'] as const)('in %s', (revision: Revision) => {
    const options: ConnectOptions = {
      revisions: [revision],
      info: { name: 'tester', version: '9' },
      elicit: () => ({ action: 'accept', content: {} }),
    }
    const handshake = revision < '2026'

    test('a call is told from its start to its end, on both sides', async () => {
      const [onServer, onClient] = [hear('server.request'), hear('client.request')]
      const it = await open(options)
      await it.client.callTool('add', { a: 1 })
      await it.client.readResource('a:b')
      for (const [seen, peer] of [
        [onServer, { name: 'tester', version: '9' }],
        [onClient, { name: 'test', version: '1.2.3' }],
      ] as const) {
        const call = seen.filter(({ event }) => event.method === 'tools/call')
        expect(call.map(({ phase }) => phase)).toEqual(['start', 'end', 'asyncStart', 'asyncEnd'])
        expect(new Set(call.map(({ event }) => event)).size).toBe(1)
        const common = { method: 'tools/call', name: 'add', uri: undefined, revision, transport: it.transport, peer }
        expect(call[0]!.atThatTime).toMatchObject(common)
        expect(call[0]!.atThatTime.durationMs).toBeUndefined()
        expect(call[3]!.atThatTime).toMatchObject({ ...common, result: { content: [{ text: '2' }] } })
        expect(call[3]!.atThatTime.durationMs).toBeGreaterThan(0)
        expect(call[3]!.atThatTime.errorType).toBeUndefined()
        expect(ended(seen, 'resources/read')).toMatchObject([{ name: undefined, uri: 'a:b' }])
      }
      const [served] = ended(onServer, 'tools/call')
      const [sent] = ended(onClient, 'tools/call')
      expect(sent!.id).toBe(served!.id)
      expect(sent!.session).toBe(served!.session)
      expect(sent!.session === undefined).toBe(!(handshake && it.transport === 'http'))
      if (it.transport === 'http') expect(sent).toMatchObject({ address: '127.0.0.1', port: expect.any(Number) })
      await it.close()
    })

    test('the first request is told like the others', async () => {
      const [onServer, onClient] = [hear('server.request'), hear('client.request')]
      const it = await open(options)
      const method = handshake ? 'initialize' : 'server/discover'
      expect(ended(onServer, method)).toMatchObject([{ revision }])
      expect(ended(onClient, method)).toMatchObject([{ revision }])
      await it.close()
    })

    test('failures have names: a code, a failed tool, a wait that was given up', async () => {
      const [onServer, onClient] = [hear('server.request'), hear('client.request')]
      const it = await open(options)
      await it.client.callTool('fail')
      await it.client.callTool('nobody').catch(() => {})
      await it.client.request('what/ever').catch(() => {})
      const stop = AbortSignal.abort()
      await it.client.callTool('add', { a: 1 }, { signal: stop }).catch(() => {})
      const types = (seen: Seen[]) => ended(seen, 'tools/call').map(({ errorType }) => errorType)
      expect(types(onServer)).toEqual(['tool_error', '-32602'])
      expect(types(onClient)).toEqual(['tool_error', '-32602', 'cancelled'])
      expect(ended(onServer, 'what/ever')).toMatchObject([{ errorType: '-32601', error: { code: -32601 } }])
      expect(onServer.filter(({ phase }) => phase === 'error')).toHaveLength(2)
      await it.close()
    })

    test('questions are told where they are requests, and every round of a request is one', async () => {
      const seen = Object.fromEntries(kinds.map((kind) => [kind, hear(kind)]))
      const it = await open(options)
      expect((await it.client.callTool('ask', {}, { meta: { traceparent } })).text).toBe('accept')
      const rounds = handshake ? 1 : 2
      expect(ended(seen['server.request']!, 'tools/call')).toHaveLength(rounds)
      expect(ended(seen['client.request']!, 'tools/call')).toHaveLength(rounds)
      const asked = ended(seen['server.ask']!, 'elicitation/create')
      const answered = ended(seen['client.answer']!, 'elicitation/create')
      expect(asked).toHaveLength(handshake ? 1 : 0)
      expect(answered).toHaveLength(handshake ? 1 : 0)
      for (const event of [...asked, ...answered]) {
        expect(event).toMatchObject({ revision, transport: it.transport, trace: { traceparent } })
      }
      await it.close()
    })

    test('[trace.reserved-keys] what whoever listens puts into a request arrives there', async () => {
      const start = (event: unknown): void => {
        ;(event as RequestEvent).trace = { traceparent, tracestate: 'a=b', baggage: 'c=d' }
      }
      const traced = tracingChannel('tenon:client.request')
      traced.start.subscribe(start)
      undo.push(() => traced.start.unsubscribe(start))
      const onServer = hear('server.request')
      const it = await open(options)
      const trace = { traceparent, tracestate: 'a=b', baggage: 'c=d' }
      expect(JSON.parse((await it.client.callTool('trace')).text)).toEqual(trace)
      expect(ended(onServer, 'tools/call')).toMatchObject([{ trace }])
      // A trace context in the request's own `_meta` wins.
      const own = traceparent.replace('4bf9', '5bf9')
      const told = await it.client.callTool('trace', {}, { meta: { traceparent: own } })
      expect(JSON.parse(told.text)).toEqual({ traceparent: own, baggage: 'c=d' })
      await it.close()
    })

    test('a store that is bound to the start is there for the handler', async () => {
      const store = new AsyncLocalStorage<string>()
      const traced = tracingChannel('tenon:server.request')
      traced.start.bindStore(store, (event) => (event as RequestEvent).name ?? 'none')
      undo.push(() => traced.start.unbindStore(store))
      const server = createServer({
        name: 'test',
        version: '1',
        tools: [tool({ name: 'who', run: async () => Promise.resolve().then(() => store.getStore() ?? 'nobody') })],
      })
      await using client = await connect(server, options)
      expect((await client.callTool('who')).text).toBe('who')
    })

    test('connections are told when they begin and end', async () => {
      const [onServer, onClient] = [hearConnections('server'), hearConnections('client')]
      const it = await open(options)
      await it.client.callTool('add', { a: 1 })
      await it.close()
      expect(onClient).toMatchObject([
        { side: 'client', phase: 'opened', revision, transport: it.transport, peer: { name: 'test' } },
        { side: 'client', phase: 'closed', revision, durationMs: expect.any(Number), reason: { code: 'closed' } },
      ])
      expect(onClient.some((event) => 'errorType' in event)).toBe(false)
      // Over HTTP there is no connection without a session.
      if (it.transport === 'http' && !handshake) expect(onServer).toEqual([])
      else {
        expect(onServer).toMatchObject([
          { side: 'server', phase: 'opened', transport: it.transport },
          { side: 'server', phase: 'closed', durationMs: expect.any(Number) },
        ])
      }
    })
  })
})

describe('trace context without anybody who watches', () => {
  test.each(revisions.filter((revision) => revision >= '2025-06-18' && revision < '2026'))(
    'goes with the questions that a handler asks, in %s',
    async (revision: Revision) => {
      await using client = await testClient(make(), { revision, capabilities: { elicitation: {} } })
      await client.callTool('ask', {}, { meta: { traceparent, tracestate: 'a=b', baggage: 'nö', other: 1 } })
      const [question] = client.transcript.calls('elicitation/create')
      expect((question as { params: JsonObject }).params._meta).toEqual({ traceparent, tracestate: 'a=b' })
      expect(validateMessage(revision, 'server', question as never)).toEqual([])
    },
  )

  test('malformed values are left out, and nothing is refused', async () => {
    await using client = await testClient(make(), { revision: '2025-11-25', capabilities: { elicitation: {} } })
    for (const wrong of [7, null, 'x', {}, 'x'.repeat(10_000)]) {
      const meta = { traceparent: wrong, tracestate: wrong, baggage: `\r\n${wrong}` }
      expect((await client.callTool('trace', {}, { meta })).text).toBe('null')
      expect((await client.callTool('ask', {}, { meta })).text).toBe('decline')
    }
    for (const question of client.transcript.calls('elicitation/create'))
      expect(question).not.toHaveProperty('params._meta')
  })

  test('is told to whoever answers', async () => {
    const told: unknown[] = []
    await using client = await connect(make(), {
      revisions: ['2025-11-25'],
      elicit: (_, { trace }) => {
        told.push(trace)
        return { action: 'decline' }
      },
    })
    await client.callTool('ask', {}, { meta: { traceparent } })
    expect(told).toEqual([{ traceparent }])
  })
})

test.each([
  ['no such module', () => undefined],
  [
    'a refusal',
    () => {
      throw new Error('not here')
    },
  ],
])('where the platform has %s, requests run without it', async (_, getBuiltinModule) => {
  vi.resetModules()
  const spy = vi.spyOn(process, 'getBuiltinModule').mockImplementation(getBuiltinModule as never)
  const { listensToRequests, publishRequest } = await import('./channels.ts')
  expect(listensToRequests('server.request')).toBe(false)
  expect(spy).toHaveBeenCalled()
  spy.mockRestore()
  expect(await publishRequest({ kind: 'server.request' } as RequestEvent, async () => 7)).toBe(7)
})

test('a platform whose tracing channels do not say whether anybody listens is asked for their parts', async () => {
  vi.resetModules()
  const real = process.getBuiltinModule('node:diagnostics_channel')
  const tracingChannel = (name: string) => {
    const { start, end, asyncStart, asyncEnd, error, ...rest } = real.tracingChannel(`bun:${name}`)
    const tracePromise = (run: () => Promise<unknown>) => start.runStores({}, run)
    return { ...rest, start, end, asyncStart, asyncEnd, error, tracePromise }
  }
  const spy = vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ channel: real.channel, tracingChannel } as never)
  const { listensToRequests, publishRequest } = await import('./channels.ts')
  expect(listensToRequests('client.request')).toBe(false)
  expect(listensToRequests('server.request')).toBe(false)
  spy.mockRestore()
  const note = vi.fn()
  real.channel('tracing:bun:tenon:client.request:error').subscribe(note)
  expect(listensToRequests('client.request')).toBe(true)
  expect(listensToRequests('server.request')).toBe(false)
  expect(await publishRequest({ kind: 'client.request' } as RequestEvent, async () => 7)).toBe(7)
})
