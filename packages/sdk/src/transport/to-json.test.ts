import { expect, test } from 'vitest'
import { keepText, toJson } from './to-json.ts'

const response = (id: string | number, result: object) => ({ jsonrpc: '2.0', id, result }) as never

test('a result that is kept is written once, and is the same text for every id', () => {
  let written = 0
  const tool = { name: 'a"b' }
  const result = {
    get tools() {
      written++
      return [tool]
    },
  }
  const before = [1, 'x"y'].map((id) => JSON.stringify(response(id, result)))
  written = 0
  keepText(result)
  expect([1, 'x"y'].map((id) => toJson(response(id, result)))).toEqual(before)
  expect(written).toBe(1)
})

test('everything else is written as it is at the moment', () => {
  const result = { count: 1 }
  expect(toJson(response(1, result))).toBe('{"jsonrpc":"2.0","id":1,"result":{"count":1}}')
  result.count = 2
  expect(toJson(response(1, result))).toBe('{"jsonrpc":"2.0","id":1,"result":{"count":2}}')
  const error = { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } } as const
  expect(toJson(error)).toBe(JSON.stringify(error))
  expect(toJson([error, error])).toBe(JSON.stringify([error, error]))
})
