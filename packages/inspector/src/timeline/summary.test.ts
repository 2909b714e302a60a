import { expect, test } from 'vitest'
import { summaryOf } from './summary.ts'

const told = (method: string, params: object): string | undefined => summaryOf({ jsonrpc: '2.0', method, params })
const answered = (result: object): string | undefined => summaryOf({ jsonrpc: '2.0', id: 1, result })

test.each<[string, object, string | undefined]>([
  ['notifications/progress', { progress: 3, total: 10, message: 'Peeling' }, '3/10 Peeling'],
  ['notifications/progress', { progress: 0.5 }, '0.5'],
  ['notifications/message', { level: 'info', logger: 'db', data: 'Two\nlines' }, 'info: db: Two lines'],
  ['notifications/message', { level: 'error', data: { text: 'no', at: 1 } }, 'error: text: no, …'],
  ['notifications/cancelled', { requestId: 7, reason: 'enough' }, 'request 7: enough'],
  ['notifications/tools/list_changed', {}, 'the list has changed'],
  ['notifications/tasks/status', { taskId: 't', status: 'working', statusMessage: 'half' }, 'working: half'],
  ['notifications/resources/updated', { uri: 'note:///x' }, undefined],
  ['notifications/of/a/server', { uri: 'x', count: 4 }, 'count: 4'],
  ['elicitation/create', { message: 'Which day?' }, 'Which day?'],
  ['tools/call', { name: 'add' }, undefined],
])('%s %j', (method, params, words) => expect(told(method, params)).toBe(words))

test('answers: the length of a list, the first text, the state of a task, the code of an error', () => {
  expect(answered({ tools: [{}, {}] })).toBe('2 tools')
  expect(answered({ roots: [{}] })).toBe('1 root')
  expect(answered({ content: [{ type: 'text', text: 'Hello' }] })).toBe('Hello')
  expect(answered({ content: [{ type: 'image', data: '' }] })).toBe('image')
  expect(answered({ task: {}, status: 'working' })).toBe('working')
  expect(answered({ action: 'decline' })).toBe('decline')
  expect(summaryOf({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'No' } })).toBe('-32602 No')
})

test('anything may come from a peer, of any size', () => {
  for (const odd of [null, 7, [], {}, { method: 7 }, { method: 'notifications/progress', params: [] }, { result: 'x' }])
    expect(() => summaryOf(odd)).not.toThrow()
  expect(told('notifications/message', { level: 'info', data: 'x'.repeat(1_000_000) })).toHaveLength(160)
  expect(told('constructor', { a: 1 })).toBeUndefined()
})
