import type { Payload } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import type { HttpExchange, HttpStep } from './http-steps.ts'
import { methodStats } from './stats.ts'
import { Timeline, type TimelineLimits } from './timeline.ts'

const timeline = (limits?: TimelineLimits): Timeline => new Timeline({ nameOf: (id) => id }, () => {}, limits)

const message = (from: 'client' | 'server', payload: unknown, at = 0) => ({
  server: 's',
  connection: 1,
  from,
  at,
  payload: payload as Payload,
})
const ask = (id: number | string, at = 0, method = 'tools/call') =>
  message('client', { jsonrpc: '2.0', id, method, params: { name: 'add' } }, at)
const answer = (id: number | string, at = 0, more: object = { result: {} }) =>
  message('server', { jsonrpc: '2.0', id, ...more }, at)

describe('the timeline', () => {
  test('a request and its answer know each other, and how long it took', () => {
    const kept = timeline()
    kept.add(ask(1, 100))
    kept.add(answer(1, 142))
    expect(kept.query('', 0, 10).rows).toMatchObject([
      { id: 1, kind: 'request', status: 'ok', durationMs: 42, pair: 2 },
      { id: 2, kind: 'result', status: 'ok', durationMs: 42, pair: 1, method: 'tools/call', name: 'add' },
    ])
  })

  test('equal ids in both directions, and of two connections, do not meet', () => {
    const kept = timeline()
    kept.add(ask(1))
    kept.add(message('server', { jsonrpc: '2.0', id: 1, method: 'roots/list' }))
    kept.add({ ...ask(1), connection: 2 })
    kept.add(answer(1))
    expect(kept.query('', 0, 10).rows.map(({ status, pair }) => [status, pair])).toEqual([
      ['ok', 4],
      ['pending', undefined],
      ['pending', undefined],
      ['ok', 1],
    ])
  })

  test('an answer with a number for an answer with a text counts, as deployed servers do that', () => {
    const kept = timeline()
    kept.add(ask(7))
    kept.add(answer('7'))
    expect(kept.query('kind:request', 0, 1).rows[0]).toMatchObject({ status: 'ok' })
  })

  test('a tool that failed and an error are both errors; what is cancelled or cut off is told apart', () => {
    const kept = timeline()
    for (const id of [1, 2, 3, 4]) kept.add(ask(id))
    kept.add(answer(1, 0, { result: { isError: true } }))
    kept.add(answer(2, 0, { error: { code: -32602, message: 'no' } }))
    kept.add(message('client', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } }))
    kept.lost('s', 1, 0)
    const statuses = kept.query('kind:request', 0, 10).rows.map(({ status }) => status)
    expect(statuses).toEqual(['error', 'error', 'cancelled', 'lost'])
  })

  test('an answer that is a question is neither an answer nor an error', () => {
    const kept = timeline()
    kept.add(ask(1))
    kept.add(answer(1, 0, { result: { resultType: 'input_required', inputRequests: {} } }))
    expect(kept.query('status:asks', 0, 10).total).toBe(2)
  })

  test('a query that was asked before knows of what came, changed and went since', () => {
    const kept = timeline({ maxMessages: 4 })
    kept.add(ask(1))
    kept.add(ask(2))
    expect(kept.query('status:pending', 0, 10).total).toBe(2)
    kept.add(answer(1))
    expect(kept.query('status:pending', 0, 10).rows.map(({ id }) => id)).toEqual([2])
    expect(kept.query('status:ok kind:request', 0, 10).rows.map(({ id }) => id)).toEqual([1])
    kept.add(ask(3))
    kept.add(ask(4))
    expect(kept.query('', 0, 10)).toMatchObject({ total: 4, range: { first: 2, next: 6 } })
    expect(kept.query('status:pending', 0, 10).rows.map(({ id }) => id)).toEqual([2, 4, 5])
    expect(kept.query('status:ok kind:request', 0, 10).total).toBe(0)
  })

  test('the messages of a batch are entries of their own; nonsense is kept as it is', () => {
    const kept = timeline()
    kept.add(
      message('server', [
        { jsonrpc: '2.0', method: 'a' },
        { jsonrpc: '2.0', method: 'b' },
      ]),
    )
    kept.add(message('server', 'nonsense'))
    kept.add(message('server', { jsonrpc: '2.0', id: null, result: {} }))
    expect(kept.query('', 0, 10).rows.map(({ method }) => method)).toEqual(['a', 'b', '', ''])
  })

  test('ids that are none, and cannot even be written down, belong to nothing', () => {
    const kept = timeline()
    kept.add(ask(1))
    for (const odd of [{ toString: false }, null, [1], { id: 1 }]) {
      kept.add(message('client', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: odd } }))
      kept.add(message('server', { jsonrpc: '2.0', id: odd, result: {} }))
    }
    expect(kept.query('kind:request', 0, 10).rows).toMatchObject([{ status: 'pending' }])
    expect(kept.query('', 0, 20).rows.filter(({ parent }) => parent !== undefined)).toEqual([])
  })

  test('memory is bounded by messages and by characters, also with 100,000 and with queries open', () => {
    const kept = timeline({ maxMessages: 50_000, maxCharacters: 10_000_000 })
    for (let id = 0; id < 100_000; id++) {
      kept.add(ask(id, id))
      if (id % 10_000 === 0) kept.query('kind:request', 0, 1)
    }
    expect(kept.query('kind:request', 0, 1)).toMatchObject({ total: 50_000, range: { first: 50_001, next: 100_001 } })
    kept.add(ask('big', 0, 'x'.repeat(9_999_000)))
    expect(kept.query('', 0, 10).total).toBeLessThan(20)
    expect(kept.get(50_001)).toBeUndefined()
  })

  test('all steps of a request over HTTP are one entry', () => {
    const kept = timeline()
    const step = { id: 1, method: 'POST' as const, url: 'http://127.0.0.1/mcp', headers: { accept: 'x' } }
    kept.addHttp({ server: 's', connection: 1, step: { ...step, phase: 'request', at: 10 } })
    expect(kept.query('status:pending', 0, 10).total).toBe(1)
    const reply = { ...step, headers: { server: 'y' }, status: 404 }
    kept.addHttp({ server: 's', connection: 1, step: { ...reply, phase: 'reply', at: 30 } })
    kept.addHttp({ server: 's', connection: 1, step: { ...reply, phase: 'end', at: 35, bytes: 9 } })
    const { rows } = kept.query('kind:http', 0, 10)
    expect(rows).toMatchObject([{ status: 'error', durationMs: 25, method: 'POST', name: 'http://127.0.0.1/mcp' }])
    expect(JSON.parse(kept.get(1)!.text)).toMatchObject({
      request: { headers: { accept: 'x' } },
      reply: { status: 404, headers: { server: 'y' }, afterMs: 20 },
      end: { phase: 'end', afterMs: 25, bytes: 9 },
    })
  })

  test('what a stream of events brought is part of its request: ids, pauses, comments, and no more than is worth keeping', () => {
    const kept = timeline()
    const step = { id: 1, method: 'GET' as const, url: 'http://127.0.0.1/mcp', headers: {} }
    const add = (more: Partial<HttpStep> & Pick<HttpStep, 'phase' | 'at'>): void =>
      kept.addHttp({ server: 's', connection: 1, step: { ...step, ...more } })
    add({ phase: 'request', at: 10 })
    add({ phase: 'reply', status: 200, at: 20 })
    add({ phase: 'event', event: { id: '7', retry: 2_500, characters: 0 }, at: 30 })
    for (let at = 40; at < 240; at++) add({ phase: 'event', event: { comment: 'alive' }, at })
    const exchange = (): HttpExchange => JSON.parse(kept.get(1)!.text) as HttpExchange
    expect(exchange().stream).toMatchObject({ events: 1, comments: 200, lastEventId: '7', retryMs: 2_500 })
    expect(exchange().stream!.latest).toHaveLength(100)
    expect(exchange().stream!.latest.at(-1)).toEqual({ comment: 'alive', afterMs: 229 })
    kept.lost('s', 1, 300)
    expect(kept.query('status:ok', 0, 1).total).toBe(1)
    expect(kept.query('alive', 0, 1).total).toBe(1)
  })

  test('latencies are those of answers only, over everything that matches', () => {
    const kept = timeline()
    for (let id = 1; id <= 3; id++) kept.add(ask(id, 0))
    kept.add(answer(1, 5))
    kept.add(message('client', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }, 900))
    kept.unanswered({ server: 's', connection: 1, from: 'client', at: 800, id: 3, status: 'lost' })
    expect(kept.query('kind:request', 0, 9).rows.map(({ status }) => status)).toEqual(['ok', 'cancelled', 'lost'])
    expect(methodStats(kept.all(''))).toMatchObject([{ count: 1, max: 5 }])
  })

  test('latencies are exact', () => {
    const kept = timeline()
    for (let id = 1; id <= 100; id++) {
      kept.add(ask(id, 0))
      kept.add(answer(id, id))
    }
    expect(methodStats(kept.all(''))).toEqual([
      { server: 's', method: 'tools/call', count: 100, errors: 0, p50: 50, p90: 90, p99: 99, max: 100 },
    ])
  })

  test('equal polls of a task are one row, which counts them; another state, an error and a loss are rows of their own', () => {
    const kept = timeline()
    const poll = (id: number): number =>
      kept.add(message('client', { jsonrpc: '2.0', id, method: 'tasks/get', params: { taskId: 't' } }))
    const state = (id: number, status: string, lastUpdatedAt: string): number =>
      kept.add(answer(id, 0, { result: { taskId: 't', status, lastUpdatedAt } }))
    const rows = (query = ''): unknown[] =>
      kept
        .query(query, 0, 99, { isFolded: true })
        .rows.map(({ kind, summary, repeats = 0, status }) => [kind, summary ?? status, repeats])
    for (let id = 1; id <= 5; id++) {
      poll(id)
      // While it is under way it is folded too: rows do not come and go.
      expect(rows('kind:request')).toHaveLength(1)
      state(id, 'working', `at ${id}`)
    }
    const first = [
      ['request', 'ok', 4],
      ['result', 'working', 4],
    ]
    expect(rows()).toEqual(first)
    poll(6)
    state(6, 'input_required', 'at 6')
    poll(7)
    kept.lost('s', 1, 0)
    const rest = [
      ['request', 'ok', 0],
      ['result', 'input_required', 0],
      ['request', 'lost', 0],
    ]
    expect(rows()).toEqual([...first, ...rest])
    // Each of them can be found, and all of them are there.
    expect(rows('id:4')).toEqual([
      ['request', 'ok', 0],
      ['result', 'working', 0],
    ])
    expect(kept.query('', 0, 99, { isFolded: true, find: 7 }).found).toBe(0)
    expect(kept.query('', 0, 99).total).toBe(13)
  })

  test('polls of two tasks are told apart, and their requests over HTTP are folded with them', () => {
    const kept = timeline()
    for (let id = 1; id <= 6; id++) {
      const payload = { jsonrpc: '2.0', id, method: 'tasks/get', params: { taskId: `t${id % 2}` } }
      kept.add(message('client', payload))
      const step = {
        id,
        method: 'POST' as const,
        url: 'http://127.0.0.1/mcp',
        headers: {},
        phase: 'request' as const,
        at: 0,
      }
      kept.addHttp({ server: 's', connection: 1, step: { ...step, bytes: JSON.stringify(payload).length } })
      kept.add(answer(id, 0, { result: { taskId: `t${id % 2}`, status: 'working' } }))
    }
    const { rows } = kept.query('', 0, 99, { isFolded: true })
    expect(rows.map(({ kind, name, repeats }) => [kind, name, repeats])).toEqual(
      ['t1', 't0'].flatMap((task) => [
        ['request', task, 2],
        ['http', 'http://127.0.0.1/mcp', 2],
        ['result', task, 2],
      ]),
    )
  })
})
