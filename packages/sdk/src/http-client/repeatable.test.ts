import { expect, test } from 'vitest'
import { revisions } from '../model/revision.ts'
import { codecFor } from '../wire/codecs.ts'
import { isRepeatable } from './repeatable.ts'

const request = (method: string) => ({ jsonrpc: '2.0', id: 1, method }) as const

test.each(['tools/list', 'resources/read', 'tasks/get', 'tasks/update', 'tasks/cancel'])(
  '%s may be sent again when its answer was lost',
  (method) => expect(isRepeatable(request(method))).toBe(true),
)

test('a tool does not run twice, nor does what nobody knows here', () => {
  expect(isRepeatable(request('tools/call'))).toBe(false)
  expect(isRepeatable(request('com.example/pay'))).toBe(false)
})

test.each(revisions)('of what a client of %s can ask, only calls of tools are not repeated', (revision) => {
  const once = [...codecFor(revision).requests.client].filter((method) => !isRepeatable(request(method)))
  expect(once).toEqual(['tools/call'])
})
