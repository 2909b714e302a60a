import { describe, expect, test } from 'vitest'
import { UsageError } from '../scripts/command-line.mjs'
import { start as startLimit } from './adapters/limit/http-server.mjs'
import { start as startNet } from './adapters/limit-net/http-server.mjs'
import { start as startTenon } from './adapters/tenon/http-server.mjs'
import { readArgs } from './lib/args.mjs'
import { measuredTables } from './lib/docs.mjs'
import { headersFor, request, toolCall } from './lib/messages.mjs'
import { kindOf, sharesOf, within } from './lib/profile.mjs'
import { records } from './lib/records.mjs'
import { judge } from './lib/rows.mjs'
import { median, spread } from './lib/stats.mjs'
import { describeTarget, figureAtMost, figureFor, isReached, ofLimit } from './lib/targets.mjs'
import { HttpAnswers, Lines, WebSocketFrames } from './load/frames.mjs'
import { Latencies } from './load/latencies.mjs'
import { openLoad } from './load/open-load.mjs'

describe('the limits send the same bytes as Tenon', () => {
  const echo = toolCall('modern', 1, 'echo', { text: 'hello' })
  const echoAsync = toolCall('modern', 1, 'echo-async', { text: 'hello' })
  const echoTimer = toolCall('modern', 1, 'echo-timer', { text: 'hello' })
  const counted = toolCall('modern', 1, 'count-records', { records: records(3) })
  const made = toolCall('modern', 1, 'make-records', { count: 3 })
  const progress = toolCall('modern', 1, 'count', { to: 3 }, { progressToken: 'bench' })
  const list = request('modern', 0, 'tools/list')

  test.each([
    ['JSON', { responseMode: 'json' }, echo],
    ['JSON of an async handler', { responseMode: 'json' }, echoAsync],
    ['JSON of a handler that waits', { responseMode: 'json' }, echoTimer],
    ['many arguments', { responseMode: 'json' }, counted],
    ['a structured result', { responseMode: 'json' }, made],
    ['events', { responseMode: 'sse' }, echo],
    ['events of an async handler', { responseMode: 'sse' }, echoAsync],
    ['progress', {}, progress, 'node:http only'],
    ['a list of 1,000 tools', { tools: 1000 }, list, 'node:http only'],
  ])('%s', async (_name, settings, message, only) => {
    const [ours, bare] = [await startTenon(settings), await startLimit(settings)]
    const sent = await post(ours.port, message)
    expect(await post(bare.port, message)).toBe(sent)
    if (!only) expect(await post((await startNet(settings)).port, message)).toBe(sent)
  })
})

describe('a load checks every answer, whoever sends it', () => {
  test.each([
    ['raw sockets', { connections: 2 }],
    ['raw sockets in sessions', { connections: 2, era: 'session' }],
    ['pipelined', { connections: 2, pipelined: 3 }],
    ['processes', { connections: 2, client: 'sockets', processes: 2 }],
    ['fetch', { connections: 2, client: 'fetch' }],
    ['node:http', { connections: 2, client: 'node-http' }],
  ])('%s', async (_name, row) => {
    const server = await startTenon({ responseMode: 'json' })
    const load = await openLoad(server, { ...row, handler: 'async' })
    const { count, latencies } = await load.run(1)
    expect(count).toBeGreaterThanOrEqual(2)
    expect(latencies.counts.reduce((sum, one) => sum + one)).toBe(count)
    load.close()
    const wrong = await openLoad(server, { ...row, handler: 'that-nobody-has' })
    await expect(wrong.run(1)).rejects.toThrow(/wrong answer|expected 200|status/)
    wrong.close()
  })

  test('with a token, which the server asks for', async () => {
    const server = await startTenon({ responseMode: 'json', protected: true })
    const load = await openLoad(server, { connections: 1 })
    expect((await load.run(1)).count).toBeGreaterThanOrEqual(1)
    load.close()
    const stranger = await openLoad({ port: server.port }, { connections: 1 })
    await expect(stranger.run(1)).rejects.toThrow('status 401')
    stranger.close()
  })
})

async function post(port, message) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headersFor('modern', message),
  }
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
  })
  expect(response.status).toBe(200)
  return response.text()
}

describe('frames come out as they went in, however they are cut', () => {
  const texts = ['{"a":1}', `"${'x'.repeat(300)}"`, '"ü"']

  test('lines', () => {
    const bytes = Buffer.concat(texts.map((text) => Lines.wrap(text)))
    for (let size = 1; size < 20; size++) expect(received(Lines, bytes, size)).toEqual(texts)
  })

  test('WebSocket frames', () => {
    const bytes = Buffer.concat(texts.map(unmasked))
    for (let size = 1; size < 20; size++) expect(received(WebSocketFrames, bytes, size)).toEqual(texts)
  })

  test('bodies of HTTP', () => {
    const answers = texts.map((text) => `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    const bytes = Buffer.from(answers.join(''))
    for (let size = 1; size < 20; size++) expect(received(HttpAnswers, bytes, size)).toEqual(texts)
    expect(() => received(HttpAnswers, Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 64)).toThrow('expected 200')
  })

  function received(Frames, bytes, size) {
    const found = []
    const frames = new Frames((one) => found.push(one.toString()))
    for (let at = 0; at < bytes.length; at += size) frames.push(bytes.subarray(at, at + size))
    return found
  }

  function unmasked(text) {
    const payload = Buffer.from(text)
    const head = payload.length < 126 ? [0x81, payload.length] : [0x81, 126, payload.length >> 8, payload.length & 255]
    return Buffer.concat([Buffer.from(head), payload])
  }
})

test('the middle and the spread of samples', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(spread([1, 2, 3, 4, 5])).toBeCloseTo(1 / 3)
})

test('a target is reached or not, or cannot be judged', () => {
  const target = ofLimit(0.8)
  const limit = { median: 100, p50: 10 }
  expect(isReached(target, figureFor(target, { limit, tenon: { median: 81 } }))).toBe(true)
  expect(isReached(target, figureFor(target, { limit, tenon: { median: 79 } }))).toBe(false)
  expect(figureFor(target, { tenon: { median: 79 } })).toBeUndefined()
  const latency = figureAtMost('p50', 1.15)
  expect(isReached(latency, figureFor(latency, { limit, tenon: { median: 100, p50: 12 } }))).toBe(false)
  expect(describeTarget(latency, 'calls/s')).toBe('p50 ≤ 1.15× limit')
})

test('quantiles of latencies are within 2%, and those of processes add up', () => {
  const [one, other] = [new Latencies(), new Latencies()]
  for (let i = 1; i <= 1000; i++) (i % 2 ? one : other).add(i / 10)
  const both = new Latencies().addCounts([...one.counts]).addCounts(other.counts)
  expect(both.quantile(0.5) / 50_000).toBeCloseTo(1, 1)
  expect(both.quantile(0.99) / 99_000).toBeCloseTo(1, 1)
  expect(new Latencies().quantile(0.5)).toBeUndefined()
})

test('the docs show throughput, latency, memory, and CPU time where cores differ', () => {
  const result = (median, cpu) => ({ median, spread: 0.1, samples: [median], cpu, p50: 30, p99: 90, rss: 64 })
  const results = { limit: result(100, 10), 'limit-net': result(200, 5), tenon: result(90, 11), rmcp: result(95, 12) }
  const row = { scenario: 'http-json', title: 'HTTP', row: '1', unit: 'calls/s', lower: false, targets: [], results }
  expect(measuredTables([judge(row)]).join('\n')).toMatchInlineSnapshot(`
    "| scenario | Tenon | limit | ratio | by CPU | to \`node:net\` | to SDK v2 | target |
    | --- | --- | --- | --- | --- | --- | --- | --- |
    | HTTP: 1 | 90 calls/s ±10% | 100 | 0.90 | 0.91 | 0.45 |  |  |
    ## Latency and memory under load
    | scenario | p50 µs | p99 µs | RSS MiB |
    | --- | --- | --- | --- |
    | HTTP: 1 | 30 (1.00×) | 90 (1.00×) | 64 (1.00×) |
    ## Side by side
    | scenario | limit | limit-net | tenon | rmcp |
    | --- | --- | --- | --- | --- |
    | HTTP: 1 (calls/s) | 100 | 200 | 90 | 95 |
    ## CPU time per call, in microseconds
    | scenario | limit | limit-net | tenon | rmcp |
    | --- | --- | --- | --- | --- |
    | HTTP: 1 | 10 | 5 | 11 | 12 |"
  `)
})

describe('a profile says where the time goes', () => {
  const frame = (functionName, url = '') => ({ functionName, url })

  test.each([
    ['writes to sockets and pipes', frame('writev')],
    ['garbage collection', frame('(garbage collector)')],
    ['native functions of V8 and Node', frame('decode')],
    ['Node: HTTP', frame('parserOnHeadersComplete', 'node:_http_common')],
    ['Node: sockets and streams', frame('readableAddChunk', 'node:internal/streams/readable')],
    ['Node: turns: ticks, promises, timers', frame('processTicksAndRejections', 'node:internal/process/task_queues')],
    ['Node: the rest', frame('emit', 'node:events')],
    ['@tenon/sdk http-server/checks', frame('f', 'file:///x/packages/sdk/dist/modules/http-server/checks/host.js')],
    ['@tenon/host', frame('f', 'file:///x/packages/host/dist/host.js')],
    ['zod', frame('parse', 'file:///x/node_modules/zod/v4/core/parse.js')],
    ['the adapter of the bench', frame('run', 'file:///x/bench/adapters/tenon/definition.mjs')],
  ])('%s', (kind, callFrame) => {
    expect(kindOf(callFrame)).toBe(kind)
  })

  test('idle time, start and warm-up do not count', () => {
    const nodes = ['(idle)', 'start', 'work', 'other'].map((name, id) => ({ id, callFrame: frame(name) }))
    const profile = {
      nodes,
      startTime: 1000,
      samples: [1, 0, 2, 2, 2, 3, 1],
      timeDeltas: [100, 100, 10, 10, 10, 10, 500],
    }
    const shares = sharesOf([within(profile, [{ from: 1150, to: 1400 }])], ({ functionName }) => functionName)
    expect([...shares]).toEqual([
      ['work', 0.75],
      ['other', 0.25],
    ])
    expect(within(profile, [])).toBe(profile)
  })
})

test('one row of a scenario is profiled, for Tenon and the limit', () => {
  const args = readArgs(['--profile', 'stdio/32 in flight'], ['limit', 'tenon', 'rmcp'], ['stdio', 'http-json'])
  expect(args).toMatchObject({ profile: true, scenarios: ['stdio'], row: '32 in flight', only: ['limit', 'tenon'] })
})

test.each([
  ['--only', 'tenon,nobody'],
  ['--scenario', ''],
  ['--reps', '1.5'],
  ['--rounds', '-1'],
  ['--profile', 'nothing/1'],
  ['--fast'],
])('%s %s is refused, naming what was expected', (...argv) => {
  expect(() => readArgs(argv, ['tenon', 'limit'], ['stdio'])).toThrow(UsageError)
})
