import type { TrafficEvent } from '@tenon/sdk/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Exchange, Exchanges } from './exchanges.ts'

function exchangesOf(...events: [from: 'client' | 'server', payload: unknown][]): Exchange[] {
  const told: Exchange[] = []
  const exchanges = new Exchanges((exchange) => told.push(exchange))
  events.forEach(([from, payload], index) => {
    exchanges.take({ from, payload, at: index * 10 } as TrafficEvent)
  })
  return told
}

test('a request is told of when it is answered, with what it was about', () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add' } }
  const answer = { jsonrpc: '2.0', id: 1, result: { content: [] } }
  expect(exchangesOf(['client', request], ['server', answer])).toEqual([
    {
      from: 'client',
      at: 10,
      method: 'tools/call',
      about: 'add',
      durationMs: 10,
      bytes: JSON.stringify(answer).length,
      request,
      answer,
    },
  ])
})

test('errors, and tools that failed, are errors', () => {
  const ask = (id: number): ['client', unknown] => ['client', { jsonrpc: '2.0', id, method: 'tools/call' }]
  const failed = { content: [{ type: 'text', text: 'No such city' }], isError: true }
  const told = exchangesOf(
    ask(1),
    ['server', { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Wrong' } }],
    ask(2),
    ['server', { jsonrpc: '2.0', id: 2, result: failed }],
  )
  expect(told.map(({ error }) => error)).toEqual([{ code: -32602, message: 'Wrong' }, { message: 'No such city' }])
})

test('questions of both sides with the same id are kept apart', () => {
  const told = exchangesOf(
    ['client', { jsonrpc: '2.0', id: 1, method: 'tools/call' }],
    ['server', { jsonrpc: '2.0', id: 1, method: 'roots/list' }],
    ['client', { jsonrpc: '2.0', id: 1, result: {} }],
    ['server', { jsonrpc: '2.0', id: 1, result: {} }],
  )
  expect(told.map(({ from, method }) => [from, method])).toEqual([
    ['server', 'roots/list'],
    ['client', 'tools/call'],
  ])
})

test('whatever a server sends, nothing is thrown', () => {
  const part = fc.oneof(fc.jsonValue(), fc.constantFrom(1, 'tools/call', 'notifications/message'))
  const message = fc.record(
    { id: part, method: part, params: part, result: part, error: part },
    { requiredKeys: [], noNullPrototype: true },
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(message, fc.jsonValue(), fc.array(message))), (payloads) => {
      exchangesOf(...payloads.map((payload): ['server' | 'client', unknown] => ['server', payload]))
    }),
  )
  const odd = { toString: false }
  exchangesOf(
    ['server', { id: odd, method: odd }],
    ['client', { id: odd, error: { message: odd } }],
    ['server', { method: 'notifications/message', params: { level: odd } }],
    ['server', { method: 'x', params: { name: odd } }],
  )
})
