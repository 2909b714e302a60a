import type { Payload } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import type { LaneBar, TimelineLanes } from '../protocol.ts'
import { Timeline } from './timeline.ts'

type Said = [at: number, from: 'client' | 'server', message: object, server?: string]

function told(...said: Said[]): Timeline {
  const kept = new Timeline({ nameOf: (id) => id }, () => {})
  for (const [at, from, message, server = 's'] of said) {
    kept.add({ server, connection: 1, from, at, payload: { jsonrpc: '2.0', ...message } as Payload })
  }
  return kept
}

const call = (at: number, id: number, params: object = {}): Said => [
  at,
  'client',
  { id, method: 'tools/call', params: { name: `tool ${id}`, _meta: { progressToken: id }, ...params } },
]
const answer = (at: number, id: number, more: object = { result: {} }): Said => [at, 'server', { id, ...more }]
const progress = (at: number, progressToken: number): Said => [
  at,
  'server',
  { method: 'notifications/progress', params: { progressToken } },
]
const elsewhere = ([at, from, message]: Said): Said => [at, from, message, 'other']

const everything = { width: 1_000, top: 0, rows: 100 }
const requests = ({ bars }: TimelineLanes): LaneBar[] => bars.filter(({ kind }) => kind === 'request')
const places = (lanes: TimelineLanes): string[] =>
  requests(lanes).map(({ id, lane, at, end = '…' }) => `${id} in ${lane}: ${at}-${end}`)

describe('lanes', () => {
  test('what happens at the same time is side by side, what follows one another is in one lane', () => {
    const kept = told(call(0, 1), call(10, 2), answer(20, 1), call(30, 3), answer(40, 2), answer(50, 3))
    const lanes = kept.lanes('', everything)
    expect(places(lanes)).toEqual(['1 in 0: 0-20', '4 in 0: 30-50', '2 in 1: 10-40'])
    expect(lanes).toMatchObject({ begin: 0, end: 50, total: 3, groups: [{ server: 's', first: 0, lanes: 2 }] })
  })

  test('each server has lanes of its own', () => {
    const kept = told(call(0, 1), elsewhere(call(0, 1)), elsewhere(answer(10, 1)), answer(20, 1))
    const lanes = kept.lanes('', everything)
    expect(places(lanes)).toEqual(['1 in 0: 0-20', '2 in 1: 0-10'])
    expect(lanes.groups.map(({ server, first }) => [server, first])).toEqual([
      ['s', 0],
      ['other', 1],
    ])
  })

  test('a question is below its call, and nobody else comes between them', () => {
    const question: Said = [5, 'server', { id: 1, method: 'elicitation/create', params: {} }]
    const answered: Said = [15, 'client', { id: 1, result: { action: 'decline' } }]
    const kept = told(call(0, 1), question, call(6, 2), answered, answer(20, 1), answer(30, 2))
    expect(places(kept.lanes('', everything))).toEqual(['1 in 0: 0-20', '2 in 1: 5-15', '3 in 2: 6-30'])
  })

  test('another round of a call is in its lane, and the time in between is kept free', () => {
    const asks = { result: { resultType: 'input_required', inputRequests: {}, requestState: 'x' } }
    const again = { name: 'tool 1', inputResponses: {}, requestState: 'x' }
    const kept = told(call(0, 1), answer(10, 1, asks), call(12, 2), answer(18, 2), call(20, 3, again), answer(30, 3))
    const lanes = kept.lanes('', everything)
    expect(places(lanes)).toEqual(['1 in 0: 0-10', '5 in 0: 20-30', '3 in 1: 12-18'])
    expect(requests(lanes)[0]).toMatchObject({ status: 'asks' })
  })

  test('reports are marks on their call; what was told without one has a lane of its own', () => {
    const news: Said = [3, 'server', { method: 'notifications/tools/list_changed' }]
    const lanes = told(call(0, 1), news, progress(5, 1), answer(10, 1)).lanes('', everything)
    expect(lanes.bars.map(({ kind, lane, at }) => [kind, lane, at])).toEqual([
      ['notification', 0, 3],
      ['request', 1, 0],
      ['notification', 1, 5],
    ])
    expect(lanes.groups).toEqual([{ server: 's', first: 0, lanes: 2, told: true }])
  })

  test('what is open has no end, and keeps its lane', () => {
    const kept = told(call(Date.now() - 50, 1), call(Date.now() - 40, 2))
    const lanes = kept.lanes('', everything)
    expect(requests(lanes).map(({ lane, end, status }) => [lane, end, status])).toEqual([
      [0, undefined, 'pending'],
      [1, undefined, 'pending'],
    ])
    expect(lanes.end).toBeGreaterThanOrEqual(Date.now() - 10)
  })

  test('the query decides: a request is there if it or its answer matches', () => {
    const refusal = { error: { code: -32602, message: 'unusual words' } }
    const kept = told(call(0, 1), answer(10, 1, refusal), call(20, 2), answer(30, 2))
    expect(requests(kept.lanes('unusual', everything))).toMatchObject([{ id: 1, status: 'error', pair: 2 }])
    expect(requests(kept.lanes('name:"tool 2"', everything))).toMatchObject([{ id: 3 }])
    expect(kept.lanes('status:nonsense', everything).problems).toHaveLength(1)
    expect(kept.lanes('nothing at all', everything)).toMatchObject({ total: 0, begin: 0, end: 0, groups: [] })
  })

  test('requests over HTTP are there if they are asked for', () => {
    const kept = told(call(0, 1), answer(10, 1))
    const step = { id: 1, method: 'POST' as const, url: 'http://127.0.0.1/', headers: {} }
    kept.addHttp({ server: 's', connection: 1, step: { ...step, phase: 'request', at: 1 } })
    kept.addHttp({ server: 's', connection: 1, step: { ...step, phase: 'end', at: 9 } })
    expect(kept.lanes('', everything).total).toBe(1)
    expect(kept.lanes('kind:http,request', everything).bars.map(({ kind }) => kind)).toEqual(['request', 'http'])
  })

  test('of the time, and of the lanes, only what is in view is told', () => {
    const kept = told(call(0, 1), answer(10, 1), call(20, 2), call(21, 3), answer(30, 2), answer(31, 3), call(40, 4))
    const inView = (from: number, to: number, top = 0, rows = 9): number[] =>
      requests(kept.lanes('', { from, to, top, rows, width: 100 })).map(({ id }) => id)
    expect(inView(11, 19)).toEqual([])
    expect(inView(5, 25)).toEqual([1, 3, 4])
    expect(inView(5, 25, 1)).toEqual([4])
    expect(inView(5, 25, 0, 1)).toEqual([1, 3])
    expect(inView(35, 50)).toEqual([7])
  })

  test('what cannot be told apart is one, with the worst of what became of it, and falls apart when one looks closer', () => {
    const kept = told(
      ...Array.from({ length: 100 }, (_, n) => [
        call(n, n),
        answer(n + 0.5, n, n === 50 ? { error: { code: 1, message: 'no' } } : {}),
      ]).flat(),
    )
    const far = kept.lanes('', { from: 0, to: 100_000, width: 1_000, top: 0, rows: 9 })
    expect(far.bars).toMatchObject([{ count: 100, status: 'error', at: 0, end: 99.5 }])
    expect(kept.lanes('', { from: 40, to: 60, width: 1_000, top: 0, rows: 9 }).bars).toHaveLength(21)
  })

  test('however many there are, there are never more bars than can be drawn', () => {
    const kept = new Timeline({ nameOf: (id) => id }, () => {})
    for (let n = 0; n < 10_000; n++) {
      const about = { server: 's', connection: 1 }
      kept.add({ ...about, from: 'client', at: n * 10, payload: { jsonrpc: '2.0', id: n, method: 'ping' } })
      kept.add({ ...about, from: 'server', at: n * 10 + 9, payload: { jsonrpc: '2.0', id: n, result: {} } })
    }
    const whole = kept.lanes('', everything)
    expect(whole).toMatchObject({ total: 10_000, end: 99_999 })
    expect(whole.bars.length).toBeLessThanOrEqual(1_000)
    expect(whole.bars.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(10_000)
    expect(kept.lanes('', { ...everything, width: 10_000 }).bars.length).toBeLessThanOrEqual(4_000)
  })

  test('many that are open at once do not need more lanes than anybody can look at', () => {
    const kept = told(...Array.from({ length: 2_000 }, (_, id) => call(id, id)))
    expect(kept.lanes('', everything).groups).toMatchObject([{ lanes: 500 }])
  })
})
