/** Spans and metrics of real clients and servers, in both eras, in memory and over HTTP. */
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Context,
  context,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { type Histogram, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ConnectOptions } from '../client/options.ts'
import { gate } from '../internal/gate.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../model/revision.ts'
import { nodeHandler, serveHttp } from '../node.ts'
import { type InstrumentOptions, instrument } from '../otel.ts'
import { createServer, prompt, resource, ToolError, tool } from '../server.ts'
import { testClient } from '../testing.ts'

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const tracer = provider.getTracer('test')
const bothPropagators = new CompositePropagator({
  propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
})

let reader: Reader
let stop: () => void = () => {}

/** Begins to record, as the options say. */
function record(options: InstrumentOptions = {}): void {
  stop()
  reader = new Reader()
  const meter = new MeterProvider({ readers: [reader] }).getMeter('test')
  stop = instrument({ tracer, meter, ...options })
}

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
beforeEach(() => {
  propagation.setGlobalPropagator(bothPropagators)
  exporter.reset()
})
afterEach(() => {
  stop()
  stop = () => {}
  propagation.disable()
})
afterAll(() => context.disable())

const spans = (name?: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => name === undefined || span.name === name)
const only = (name: string, kind: SpanKind): ReadableSpan => {
  const found = spans(name).filter((span) => span.kind === kind)
  expect(found, `${name} of kind ${kind}`).toHaveLength(1)
  return found[0]!
}
const idOf = (span: ReadableSpan): string => span.spanContext().spanId
const traceOf = (span: ReadableSpan): string => span.spanContext().traceId

async function histogram(name: string): Promise<{ attributes: JsonObject; value: Histogram }[]> {
  const { resourceMetrics } = await reader.collect()
  const found = resourceMetrics.scopeMetrics
    .flatMap((scope) => scope.metrics)
    .find((one) => one.descriptor.name === name)
  return (found?.dataPoints ?? []) as unknown as { attributes: JsonObject; value: Histogram }[]
}

const make = () =>
  createServer({
    onError: () => {},
    name: 'test',
    version: '1',
    tools: [
      tool({
        name: 'work',
        input: z.object({ secret: z.string().optional() }),
        run: async (_, ctx) => {
          await Promise.resolve()
          tracer.startSpan('inside').end()
          return JSON.stringify({ ...ctx.trace, user: propagation.getActiveBaggage()?.getEntry('user')?.value })
        },
      }),
      tool({
        name: 'fail',
        run: () => {
          throw new ToolError('very secret')
        },
      }),
      tool({
        name: 'ask',
        run: async (_, ctx) => (await ctx.elicit('Sure?', z.object({}))).action,
      }),
    ],
    prompts: [prompt({ name: 'greet', run: () => 'hi' })],
    resources: [
      resource({ uri: 'a:b', name: 'a', read: () => 'x' }),
      resource({
        uri: 'a:broken',
        name: 'broken',
        read: () => {
          throw new Error('very secret')
        },
      }),
    ],
  })

type Open = (options: ConnectOptions) => Promise<{ client: Client; transport: JsonObject; close(): Promise<void> }>

const ways: { [transport: string]: Open } = {
  memory: async (options) => {
    const client = await connect(make(), options)
    return { client, transport: {}, close: () => client.close() }
  },
  http: async (options) => {
    const http = await serveHttp(make(), { port: 0 })
    const client = await connect(http.url, options)
    const close = async (): Promise<void> => {
      await client.close()
      await http.close()
    }
    return { client, transport: { 'network.transport': 'tcp', 'network.protocol.name': 'http' }, close }
  },
}

/** Runs in a span, as an application does. */
async function within<T>(name: string, run: () => Promise<T>, base: Context = ROOT_CONTEXT): Promise<T> {
  const span = tracer.startSpan(name, {}, base)
  try {
    return await context.with(trace.setSpan(base, span), run)
  } finally {
    span.end()
  }
}

describe.each(Object.entries(ways))('over %s', (_, open) => {
  describe.each(['2025-11-25', '2026-07-28'] as const)('in %s', (revision: Revision) => {
    const handshake = revision < '2026'
    const options: ConnectOptions = {
      revisions: [revision],
      elicit: async () => {
        await Promise.resolve()
        tracer.startSpan('thinking').end()
        return { action: 'accept', content: {} }
      },
    }

    test('[trace.reserved-keys] one trace goes through both sides and everything inside', async () => {
      record()
      const it = await open(options)
      await within('app', () => it.client.callTool('work'))
      await it.close()
      const app = spans('app')[0]!
      const sent = only('tools/call work', SpanKind.CLIENT)
      const served = only('tools/call work', SpanKind.SERVER)
      const [inside] = spans('inside')
      expect(sent.parentSpanContext?.spanId).toBe(idOf(app))
      expect(served.parentSpanContext).toMatchObject({ spanId: idOf(sent), isRemote: true })
      expect(inside?.parentSpanContext?.spanId).toBe(idOf(served))
      for (const span of [sent, served, inside!]) expect(traceOf(span)).toBe(traceOf(app))
      for (const span of [sent, served]) expect(span.status.code).toBe(SpanStatusCode.UNSET)
    })

    test('spans say what the conventions ask for', async () => {
      record()
      const it = await open(options)
      await it.client.callTool('work')
      await it.client.getPrompt('greet')
      await it.client.readResource('a:b')
      await it.client.listTools({ fresh: true })
      await it.close()
      const common = { 'mcp.protocol.version': revision, ...it.transport }
      for (const kind of [SpanKind.CLIENT, SpanKind.SERVER]) {
        expect(only('tools/call work', kind).attributes).toMatchObject({
          ...common,
          'mcp.method.name': 'tools/call',
          'gen_ai.tool.name': 'work',
          'gen_ai.operation.name': 'execute_tool',
          'jsonrpc.request.id': expect.stringMatching(/^\d+$/),
        })
        expect(only('prompts/get greet', kind).attributes).toMatchObject({ 'gen_ai.prompt.name': 'greet' })
        expect(only('prompts/get greet', kind).attributes).not.toHaveProperty('gen_ai.operation.name')
        expect(only('resources/read', kind).attributes).toMatchObject({ 'mcp.resource.uri': 'a:b' })
        const first = handshake ? 'initialize' : 'server/discover'
        expect(only(first, kind).attributes).toMatchObject({ ...common, 'mcp.method.name': first })
      }
      const ids = [SpanKind.CLIENT, SpanKind.SERVER].map(
        (kind) => only('resources/read', kind).attributes['mcp.session.id'],
      )
      const hasSession = handshake && 'network.transport' in it.transport
      expect(ids).toEqual(hasSession ? [expect.any(String), ids[0]] : [undefined, undefined])
      if ('network.transport' in it.transport) {
        expect(only('resources/read', SpanKind.CLIENT).attributes).toMatchObject({
          'server.address': '127.0.0.1',
          'server.port': expect.any(Number),
        })
      }
    })

    test('failures have types, and nothing is told of them', async () => {
      record()
      const it = await open(options)
      await it.client.callTool('fail', { secret: 1 })
      await it.client.callTool('nobody').catch(() => {})
      await it.client.request('what/ever').catch(() => {})
      await it.client.readResource('a:broken').catch(() => {})
      await it.close()
      for (const kind of [SpanKind.CLIENT, SpanKind.SERVER]) {
        const failed = only('tools/call fail', kind)
        expect(failed.attributes['error.type']).toBe('tool_error')
        expect(failed.attributes).not.toHaveProperty('rpc.response.status_code')
        expect(failed.status).toEqual({ code: SpanStatusCode.ERROR })
      }
      const code = { 'error.type': '-32602', 'rpc.response.status_code': '-32602' }
      expect(only('tools/call nobody', SpanKind.CLIENT).attributes).toMatchObject(code)
      // The span name leaves out names that strangers choose.
      expect(only('tools/call', SpanKind.SERVER).attributes).toMatchObject({ ...code, 'gen_ai.tool.name': 'nobody' })
      for (const kind of [SpanKind.CLIENT, SpanKind.SERVER]) {
        const broken = only('resources/read', kind)
        expect(broken.attributes).toMatchObject({ 'error.type': '-32603' })
        expect(broken.status).toEqual({ code: SpanStatusCode.ERROR })
      }
      const unknown = only('_OTHER', SpanKind.SERVER)
      expect(unknown.attributes).toMatchObject({ 'mcp.method.name': 'what/ever', 'error.type': '-32601' })
      const all = JSON.stringify(spans().map(({ attributes, status, events }) => [attributes, status, events]))
      expect(all).not.toContain('secret')
      expect(spans().flatMap(({ events }) => events)).toEqual([])
    })

    test('every round is a request, and every question that is one has its spans', async () => {
      record()
      const it = await open(options)
      await within('app', () => it.client.callTool('ask'))
      await it.close()
      const rounds = handshake ? 1 : 2
      const of = (name: string, kind: SpanKind) => spans(name).filter((span) => span.kind === kind)
      expect(of('tools/call ask', SpanKind.CLIENT)).toHaveLength(rounds)
      expect(of('tools/call ask', SpanKind.SERVER)).toHaveLength(rounds)
      expect(spans('elicitation/create')).toHaveLength(handshake ? 2 : 0)
      for (const span of of('tools/call ask', SpanKind.SERVER)) expect(traceOf(span)).toBe(traceOf(spans('app')[0]!))
      expect(spans('thinking')).toHaveLength(1)
      expect(traceOf(spans('thinking')[0]!)).toBe(traceOf(spans('app')[0]!))
      if (!handshake) return
      const asked = only('elicitation/create', SpanKind.CLIENT)
      const answered = only('elicitation/create', SpanKind.SERVER)
      expect(asked.parentSpanContext?.spanId).toBe(idOf(only('tools/call ask', SpanKind.SERVER)))
      expect(answered.parentSpanContext?.spanId).toBe(idOf(asked))
      expect(spans('thinking')[0]!.parentSpanContext?.spanId).toBe(idOf(answered))
    })

    test('many calls at once do not get into each other', async () => {
      record()
      const it = await open(options)
      const calls = Array.from({ length: 40 }, (_, index) => within(`app ${index}`, () => it.client.callTool('work')))
      await Promise.all(calls)
      await it.close()
      const traces = new Set(spans('inside').map(traceOf))
      expect(traces.size).toBe(40)
      for (const inside of spans('inside')) {
        const served = spans('tools/call work').find((span) => idOf(span) === inside.parentSpanContext?.spanId)
        expect(served?.kind).toBe(SpanKind.SERVER)
        expect(traceOf(served!)).toBe(traceOf(inside))
      }
    })

    test('baggage goes along; what whoever calls says himself wins', async () => {
      record()
      const it = await open(options)
      const baggage = propagation.createBaggage({ user: { value: 'ada' } })
      const base = propagation.setBaggage(ROOT_CONTEXT, baggage)
      const own = '00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      const told = await context.with(base, () => it.client.callTool('work'))
      expect(JSON.parse(told.text)).toMatchObject({ user: 'ada', traceparent: expect.any(String) })
      const meta = { traceparent: own }
      const mine = await context.with(base, () => it.client.callTool('work', {}, { meta }))
      expect(JSON.parse(mine.text)).toMatchObject({ user: 'ada', traceparent: own })
      await it.close()
      expect(spans('inside').map(traceOf)[1]).toBe('5bf92f3577b34da6a3ce929d0e0e4736')
    })

    test('durations are counted, by what the conventions name', async () => {
      record()
      const it = await open(options)
      for (let times = 0; times < 3; times++) await it.client.callTool('work')
      await it.client.callTool('fail')
      for (let index = 0; index < 5; index++) await it.client.callTool(`made-up-${index}`).catch(() => {})
      await it.close()
      for (const side of ['client', 'server']) {
        const points = await histogram(`mcp.${side}.operation.duration`)
        const work = points.filter(({ attributes }) => attributes['gen_ai.tool.name'] === 'work')
        expect(work).toHaveLength(1)
        expect(work[0]!.attributes).toMatchObject({
          'mcp.method.name': 'tools/call',
          'mcp.protocol.version': revision,
          ...it.transport,
        })
        expect(work[0]!.value.count).toBe(3)
        expect(work[0]!.value.buckets.boundaries).toEqual([
          0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
        ])
        expect(work[0]!.value.sum).toBeLessThan(3)
        const failed = points.filter(({ attributes }) => attributes['error.type'] === 'tool_error')
        expect(failed).toMatchObject([{ value: { count: 1 }, attributes: { 'gen_ai.tool.name': 'fail' } }])
      }
      // Names that a stranger makes up do not become time series of the server.
      const served = await histogram('mcp.server.operation.duration')
      const refused = served.filter(({ attributes }) => attributes['error.type'] === '-32602')
      expect(refused).toMatchObject([{ value: { count: 5 } }])
      expect(refused[0]!.attributes).not.toHaveProperty('gen_ai.tool.name')
      const lasted = await histogram('mcp.client.session.duration')
      expect(lasted).toMatchObject([{ value: { count: 1 }, attributes: { 'mcp.protocol.version': revision } }])
      const onServer = await histogram('mcp.server.session.duration')
      expect(onServer).toHaveLength('network.transport' in it.transport && !handshake ? 0 : 1)
    })
  })
})

test('what servers keep for their clients is shown by kind, with its limit, until the undo', async () => {
  record()
  const server = createServer({ name: 'keeper', version: '1', tools: [tool({ name: 'work', run: () => '' })] })
  await using client = await connect(server, { revisions: ['2025-11-25'] })
  await client.callTool('work')
  const kept = async (name: string): Promise<{ [kind: string]: unknown }> => {
    const points = (await histogram(name)).filter(({ attributes }) => attributes['tenon.server.name'] === 'keeper')
    return Object.fromEntries(points.map(({ attributes, value }) => [attributes['tenon.kept.kind'], value]))
  }
  const kinds = ['sessions', 'subscriptions', 'tasks', 'events', 'bodies', 'calls', 'unsent'] as const
  const bytes = await kept('tenon.server.kept')
  expect(Object.keys(bytes)).toEqual(kinds)
  expect(bytes.sessions).toBe(server.kept.sessions.bytes)
  expect(bytes.sessions).toBeGreaterThan(1_000)
  const limits = Object.fromEntries(kinds.map((kind) => [kind, server.kept[kind].limit]))
  expect(await kept('tenon.server.kept.limit')).toEqual(limits)
  stop()
  await client.close()
  // Nothing measures any more: the last figure stays.
  expect([server.kept.sessions.bytes, (await kept('tenon.server.kept')).sessions]).toEqual([0, bytes.sessions])
})

test('arguments, results and errors are recorded if asked for', async () => {
  record({ record: { arguments: true, results: true, errors: true } })
  await using client = await connect(make())
  await client.callTool('work', { secret: 'x' })
  await client.callTool('nobody' as 'work').catch(() => {})
  for (const kind of [SpanKind.CLIENT, SpanKind.SERVER]) {
    const { attributes } = only('tools/call work', kind)
    expect(attributes['gen_ai.tool.call.arguments']).toBe('{"secret":"x"}')
    expect(attributes['gen_ai.tool.call.result']).toMatch(/^\[\{"type":"text"/)
  }
  const failed = only('tools/call nobody', SpanKind.CLIENT)
  expect(failed.status).toEqual({ code: SpanStatusCode.ERROR, message: 'Unknown tool: "nobody"' })
  expect(failed.events).toMatchObject([{ name: 'exception' }])
})

test('the span that a request came in with is linked to', async () => {
  record()
  const handler = nodeHandler(make())
  const http = createHttpServer((request, response) => {
    void within('POST', async () => void (await handler(request, response)))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const client = await connect(`http://127.0.0.1:${port}/mcp`, { revisions: ['2026-07-28'] })
  await client.callTool('work')
  await client.close()
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
  const served = only('tools/call work', SpanKind.SERVER)
  expect(served.parentSpanContext?.spanId).toBe(idOf(only('tools/call work', SpanKind.CLIENT)))
  const posts = spans('POST').map(idOf)
  expect(served.links).toHaveLength(1)
  expect(posts).toContain(served.links[0]!.context.spanId)
})

test('a request without a trace of its own belongs to the span that it came in with', async () => {
  record()
  const server = make()
  await within('ambient', async () => {
    await using client = await testClient(server, { revision: '2025-11-25' })
    stop()
    await client.callTool('work')
    record()
    await client.callTool('work', {}, { meta: { baggage: 'user=bob', traceparent: 'nonsense', tracestate: 7 } })
  })
  const served = spans('tools/call work').filter(({ kind }) => kind === SpanKind.SERVER)
  expect(served).toHaveLength(1)
  expect(traceOf(served[0]!)).toBe(traceOf(spans('ambient')[0]!))
})

test('the keys are those of the protocol even where nothing, or another format, is set up', async () => {
  propagation.disable()
  record()
  await using client = await connect(make())
  const { text } = await client.callTool('work')
  const sent = only('tools/call work', SpanKind.CLIENT)
  expect(JSON.parse(text)).toEqual({ traceparent: `00-${traceOf(sent)}-${idOf(sent)}-01` })
  expect(only('tools/call work', SpanKind.SERVER).parentSpanContext?.spanId).toBe(idOf(sent))
})

test('spans of a cancelled call say so', async () => {
  record()
  const started = gate()
  const ended = gate()
  const wait = tool({
    name: 'wait',
    run: async (_, ctx) => {
      started.open()
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
      ended.open()
      return ''
    },
  })
  await using client = await connect(createServer({ name: 'test', version: '1', tools: [wait] }))
  const giveUp = new AbortController()
  const calling = client.callTool('wait', {}, { signal: giveUp.signal })
  await started.passed
  giveUp.abort()
  await expect(calling).rejects.toMatchObject({ code: 'cancelled' })
  await ended.passed
  const cancelled = () => spans().filter((span) => span.attributes['error.type'] === 'cancelled')
  await vi.waitFor(() => expect(cancelled().map(({ kind }) => kind)).toEqual([SpanKind.CLIENT, SpanKind.SERVER]))
})

test('without an SDK nothing happens, and what a client sent is still passed on', async () => {
  trace.disable()
  metrics.disable()
  stop = instrument()
  const traceparent = '00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await using client = await testClient(make(), { revision: '2025-11-25', capabilities: { elicitation: {} } })
  expect((await client.callTool('ask', {}, { meta: { traceparent } })).text).toBe('decline')
  const [question] = client.transcript.calls('elicitation/create')
  expect((question as { params: JsonObject }).params._meta).toEqual({ traceparent })
  expect(spans()).toEqual([])
})

test('two instruments record side by side, and each ends alone', async () => {
  record()
  const stopSecond = instrument({ tracer: provider.getTracer('second') })
  await using client = await connect(make())
  const scopes = () =>
    spans('tools/call work')
      .filter(({ kind }) => kind === SpanKind.SERVER)
      .map((span) => span.instrumentationScope.name)
  await client.callTool('work')
  expect(scopes().toSorted()).toEqual(['second', 'test'])
  stop()
  stop()
  await client.callTool('work')
  expect(scopes()).toHaveLength(3)
  stopSecond()
  await client.callTool('work')
  expect(scopes()).toHaveLength(3)
})
