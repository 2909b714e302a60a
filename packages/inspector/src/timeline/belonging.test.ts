import type { Payload } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { Timeline } from './timeline.ts'

type Side = 'client' | 'server'

/** Messages in short; each becomes an entry, whose id is its place. */
function belonging(...said: [from: Side, message: object, during?: number][]): (number | undefined)[] {
  const kept = new Timeline({ nameOf: (id) => id }, () => {})
  for (const [at, [from, message, during]] of said.entries()) {
    const payload = { jsonrpc: '2.0', ...message } as Payload
    kept.add({ server: 's', connection: 1, from, at, payload, ...(during !== undefined && { during }) })
  }
  return kept.query('', 0, 100).rows.map(({ parent }) => parent)
}

const call = (id: number, params: object = {}): object => ({
  id,
  method: 'tools/call',
  params: { name: 'plan', ...params },
})
const question = (id: number): object => ({ id, method: 'elicitation/create', params: {} })
const progress = (progressToken: unknown): object => ({ method: 'notifications/progress', params: { progressToken } })
const token = (progressToken: unknown): object => ({ _meta: { progressToken } })

describe('what a message belongs to', () => {
  test('progress belongs to the request that gave its token, of the other side only', () => {
    const found = belonging(
      ['client', call(1, token('a'))],
      ['client', call(2, token(7))],
      ['server', progress('a')],
      ['server', progress(7)],
      ['client', progress('a')],
      ['server', { method: 'notifications/progress', params: {} }],
    )
    expect(found.slice(2)).toEqual([1, 2, undefined, undefined])
  })

  test('a question belongs to the call on whose stream it came, or to the only one that is open', () => {
    expect(belonging(['client', call(1)], ['client', call(2)], ['server', question(1), 2]).at(-1)).toBe(2)
    expect(belonging(['client', call(1)], ['client', call(2)], ['server', question(1)]).at(-1)).toBeUndefined()
    expect(
      belonging(['client', { id: 1, method: 'tools/list' }], ['client', call(2)], ['server', question(1)]).at(-1),
    ).toBe(2)
    const answered: [Side, object] = ['server', { id: 1, result: {} }]
    expect(belonging(['client', call(1)], answered, ['server', question(1)]).at(-1)).toBeUndefined()
    expect(belonging(['client', call(1)], ['server', { id: 1, method: 'ping' }]).at(-1)).toBeUndefined()
  })

  test('another round belongs to the first one, also after many', () => {
    const asks = (id: number, requestState?: string): [Side, object] => [
      'server',
      { id, result: { resultType: 'input_required', inputRequests: {}, requestState } },
    ]
    const found = belonging(
      ['client', call(1)],
      asks(1, 'x'),
      ['client', call(2)],
      asks(2, 'y'),
      ['client', call(3, { inputResponses: {}, requestState: 'x' })],
      asks(3, 'z'),
      ['client', call(4, { inputResponses: {}, requestState: 'z' })],
      ['client', call(5, { inputResponses: {}, requestState: 'y' })],
      ['client', call(6, { requestState: 'unknown' })],
    )
    expect([found[4], found[6], found[7], found[8]]).toEqual([1, 1, 3, undefined])
  })

  test('what is said about a task belongs to the call that made it, and a cancellation to what it cancels', () => {
    const found = belonging(
      ['client', call(1)],
      ['server', { id: 1, result: { task: { taskId: 't' } } }],
      ['client', { id: 2, method: 'tasks/get', params: { taskId: 't' } }],
      ['server', { method: 'notifications/tasks/status', params: { taskId: 't' } }],
      ['client', { method: 'notifications/cancelled', params: { requestId: 2 } }],
    )
    expect(found.slice(2)).toEqual([1, 1, 3])
  })

  test('news belong to the subscription that they name', () => {
    const news = {
      method: 'notifications/tools/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 9 } },
    }
    expect(belonging(['client', { id: 9, method: 'subscriptions/listen' }], ['server', news]).at(-1)).toBe(1)
  })

  test('nonsense belongs to nothing', () => {
    for (const params of [null, 1, [], { _meta: 1 }, { progressToken: {} }, { _meta: { progressToken: [] } }]) {
      expect(belonging(['client', { id: 1, method: 'x', params }], ['server', { method: 'y', params }])).toEqual([
        undefined,
        undefined,
      ])
    }
  })
})

test('the trace of a message is that of its answer too', () => {
  const kept = new Timeline({ nameOf: (id) => id }, () => {})
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const about = { server: 's', connection: 1, at: 0 }
  const send = (id: number, traceparent: unknown): void => {
    const payload = {
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { _meta: { traceparent } },
    } as unknown as Payload
    kept.add({ ...about, from: 'client', payload })
    kept.add({ ...about, from: 'server', payload: { jsonrpc: '2.0', id, result: {} } })
  }
  send(1, `00-${trace}-00f067aa0ba902b7-01`)
  send(2, 'nonsense')
  send(3, 7)
  expect(kept.query(`trace:${trace}`, 0, 10).rows.map(({ id, trace: found }) => [id, found])).toEqual([
    [1, trace],
    [2, trace],
  ])
})
