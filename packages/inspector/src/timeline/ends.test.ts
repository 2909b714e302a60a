import type { Payload } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { timelineOf } from '../sessions/session-timeline.ts'
import { Timeline, type TimelineLimits } from './timeline.ts'

const timeline = (limits?: TimelineLimits): Timeline => new Timeline({ nameOf: (id) => id }, () => {}, limits)

const place = { server: 's', connection: 1 }
const from = (side: 'client' | 'server', payload: unknown, at = 0) => ({
  ...place,
  from: side,
  at,
  payload: payload as Payload,
})
const ask = (id: unknown) => from('client', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'add' } })
const ends = (kept: Timeline): unknown[] =>
  kept.query('kind:request', 0, 100).rows.map(({ status, reason }) => [status, reason])

describe('every request has an end', () => {
  test.each([
    ['a result that is no object', { jsonrpc: '2.0', id: 1, result: 5 }, 'result: expected an object'],
    ['no result at all', { jsonrpc: '2.0', id: 1 }, 'result: expected an object'],
    ['a result and an error', { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'x' } }, /got both/],
    ['an error without a code', { jsonrpc: '2.0', id: 1, error: { message: 'x' } }, /integer code/],
    ['an error that is a text', { jsonrpc: '2.0', id: 1, error: 'no' }, /integer code/],
  ])('an answer with %s is refused, with the reason', (_, payload, reason) => {
    const kept = timeline()
    kept.add(ask(1))
    kept.add(from('server', payload, 5))
    expect(kept.query('', 0, 10).rows).toMatchObject([
      { status: 'refused', pair: 2, durationMs: 5, reason: expect.stringMatching(reason) },
      { status: 'refused', pair: 1, method: 'tools/call' },
    ])
    expect(kept.query('status:refused kind:request', 0, 10).total).toBe(1)
  })

  test('an answer that was too long is refused, with the reason', () => {
    const kept = timeline()
    kept.add(ask(1))
    const refusal = { code: -32600, message: 'Message exceeds the limit of 10 bytes', id: 1, kind: 'response' }
    kept.addRefusal({ ...place, from: 'server', at: 5, refusal })
    expect(ends(kept)).toEqual([['refused', 'Message exceeds the limit of 10 bytes']])
    expect(kept.lanes('', { width: 100, top: 0, rows: 10 }).bars).toContainEqual(
      expect.objectContaining({ kind: 'request', status: 'refused', end: 5 }),
    )
  })

  test('an object that only looks like the answer ends nothing', () => {
    const kept = timeline()
    kept.add(ask(1))
    kept.add(from('server', { id: 1, result: {} }))
    kept.add(from('server', { jsonrpc: '2.0', id: 1, method: 5, result: {} }))
    kept.add(from('server', { jsonrpc: '2.0', id: 2, result: {} }))
    kept.add(from('server', { jsonrpc: '2.0', id: [1], result: {} }))
    kept.add(from('client', { jsonrpc: '2.0', id: 1, result: {} }))
    expect(ends(kept)).toEqual([['pending', undefined]])
    kept.lost('s', 1, 9)
    expect(ends(kept)).toEqual([['lost', undefined]])
  })

  test('requests with the same id all end', () => {
    const kept = timeline()
    const asked = { jsonrpc: '2.0', id: 5, method: 'ping' }
    for (let count = 0; count < 3; count++) kept.add(from('server', asked))
    kept.add(from('client', { jsonrpc: '2.0', id: 5, error: { code: -32600, message: 'in use' } }))
    kept.add(from('client', { jsonrpc: '2.0', id: 5, result: {} }))
    expect(ends(kept).map((end) => (end as unknown[])[0])).toEqual(['pending', 'ok', 'error'])
    kept.lost('s', 1, 9)
    expect(kept.query('status:pending', 0, 10).total).toBe(0)
  })

  test('a second answer changes nothing', () => {
    const kept = timeline()
    kept.add(ask(1))
    kept.add(from('server', { jsonrpc: '2.0', id: 1, result: {} }))
    kept.add(from('server', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }))
    expect(kept.query('', 0, 10).rows.map(({ status, pair }) => [status, pair])).toEqual([
      ['ok', 2],
      ['ok', 1],
      ['error', undefined],
    ])
  })

  test('a cancellation keeps its reason', () => {
    const kept = timeline()
    kept.add(ask(1))
    const params = { requestId: 1, reason: 'no answer within 60000 ms' }
    kept.add(from('client', { jsonrpc: '2.0', method: 'notifications/cancelled', params }))
    expect(ends(kept)).toEqual([['cancelled', 'no answer within 60000 ms']])
  })

  test('in a recording, everything that a connection left open ends with it', () => {
    const message = (payload: unknown, at: number) => ({ kind: 'message', from: 'client', at, payload }) as never
    const opened = { kind: 'opened', at: 3 } as never
    const { payload } = ask(1)
    const http = { id: 1, method: 'GET', url: 'http://x', headers: {} }
    const end = { kind: 'http', at: 5, http: { ...http, phase: 'end' } } as never
    const kept = timelineOf({
      header: {},
      warnings: [],
      events: [message(payload, 1), opened, message(payload, 4), end],
    } as never)
    expect(kept.query('status:pending', 0, 10).total).toBe(0)
    expect(kept.query('', 0, 10).rows).toMatchObject([
      { status: 'lost', durationMs: 2 },
      { status: 'lost', durationMs: 1 },
      { kind: 'http', status: 'lost' },
    ])
  })
})

/** Numbers that come again with the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('whatever two sides say, no request is pending once its connection is gone, and pairs are mutual', () => {
  const ids = [1, '1', 2, 'x', 1.5, null, undefined, -0, 2 ** 53, '__proto__', {}]
  const answers = [
    { result: {} },
    { result: { isError: true } },
    { result: { resultType: 'input_required' } },
    { result: 5 },
    { error: { code: 1, message: 'x' } },
    { error: 'x' },
    { error: null, result: {} },
    {},
  ]
  for (let seed = 1; seed <= 150; seed++) {
    const next = numbers(seed)
    const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)]!
    const kept = timeline({ maxMessages: pick([5, 40, 1_000]) })
    const places = ['a', 'b'].flatMap((server) => [1, -1].map((connection) => ({ server, connection })))
    for (let at = 0; at < 80; at++) {
      const where = pick(places)
      const [side, id] = [pick(['client', 'server'] as const), pick(ids)]
      const about = { ...where, from: side, at }
      const rpc = pick(['2.0', '2.0', '2.0', undefined])
      const asked = { jsonrpc: rpc, id, method: pick(['ping', 'tools/call', 5]), params: pick([{}, [], undefined]) }
      const answer = { jsonrpc: rpc, id, ...pick(answers) }
      const withdrawn = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }
      const step = { id: next(3), method: 'POST' as const, url: 'http://x', headers: {}, at }
      const acts = [
        () => kept.add({ ...about, payload: asked as Payload }),
        () => kept.add({ ...about, payload: asked as Payload }),
        () => kept.add({ ...about, payload: answer as Payload }),
        () => kept.add({ ...about, payload: withdrawn as Payload }),
        () => kept.add({ ...about, payload: [asked, answer, null, [answer]] as Payload }),
        () => kept.add({ ...about, payload: pick([null, 5, 'x', []]) as unknown as Payload }),
        () =>
          kept.unanswered({ ...about, id: pick([1, 'x']), status: pick(['lost', 'refused', 'error', 'cancelled']) }),
        () => kept.addRefusal({ ...about, refusal: { code: 1, message: 'too long', id, kind: pick(['response', 5]) } }),
        () =>
          kept.addHttp({ ...where, step: { ...step, phase: pick(['request', 'reply', 'event', 'end', 'failed']) } }),
        () => next(8) === 0 && kept.lost(where.server, where.connection, at),
        () => next(30) === 0 && kept.clear(),
      ]
      pick(acts)()
    }
    for (const { server, connection } of places) kept.lost(server, connection, 100)
    expect(kept.query('status:pending', 0, 10).rows, `seed ${seed}`).toEqual([])
    const { first, next: end } = kept.range
    for (let entry = first; entry < end; entry++) {
      const { pair, kind, durationMs, status } = kept.get(entry)!
      if (kind === 'request') expect([status, durationMs], `seed ${seed}`).not.toContain(undefined)
      if (pair !== undefined && pair >= first) expect(kept.get(pair)?.pair, `seed ${seed}`).toBe(entry)
    }
    const { bars } = kept.lanes('', { width: 1_000, top: 0, rows: 500 })
    expect(
      bars.filter(({ end: ended }) => ended === undefined),
      `seed ${seed}`,
    ).toEqual([])
  }
})
