import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classify, explainInvalid } from './classify.ts'

const valid: [string, unknown, string][] = [
  ['a request', { jsonrpc: '2.0', id: 1, method: 'x' }, 'request'],
  ['a request with a string id', { jsonrpc: '2.0', id: '', method: 'x', params: {} }, 'request'],
  ['a request with the largest id', { jsonrpc: '2.0', id: 9007199254740991, method: 'x' }, 'request'],
  ['a request with params null', { jsonrpc: '2.0', id: 1, method: 'x', params: null }, 'request'],
  ['a notification', { jsonrpc: '2.0', method: 'x' }, 'notification'],
  ['a result', { jsonrpc: '2.0', id: 0, result: {} }, 'result'],
  ['a result beside an error of null', { jsonrpc: '2.0', id: 0, result: {}, error: null }, 'result'],
  [
    'an error beside a result of null',
    { jsonrpc: '2.0', id: 1, result: null, error: { code: -1, message: 'm' } },
    'error',
  ],
  ['an error', { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'm' } }, 'error'],
  ['an error without an id', { jsonrpc: '2.0', error: { code: -1, message: 'm' } }, 'error'],
  ['an error with id null', { jsonrpc: '2.0', id: null, error: { code: -1, message: 'm' } }, 'error'],
  ['a batch', [], 'batch'],
]

const invalid: [string, unknown, string][] = [
  ['nothing of an object', 7, 'expected a JSON-RPC message object, got an integer'],
  ['no version', { id: 1, method: 'x' }, 'jsonrpc: expected "2.0", got nothing'],
  ['id null', { jsonrpc: '2.0', id: null, method: 'x' }, 'id: expected a string or an integer, got null'],
  [
    'a fractional id',
    { jsonrpc: '2.0', id: 1.5, method: 'x' },
    'id: expected a string or an integer, got a fractional number',
  ],
  [
    'an id that would come back as another',
    { jsonrpc: '2.0', id: 9007199254740992, method: 'x' },
    'id: expected a string or an integer, got a number beyond 9007199254740991',
  ],
  ['an object as id', { jsonrpc: '2.0', id: {}, method: 'x' }, 'id: expected a string or an integer, got an object'],
  [
    'params as an array',
    { jsonrpc: '2.0', id: 1, method: 'x', params: [] },
    'params: expected an object, got an array',
  ],
  ['a method that is a number', { jsonrpc: '2.0', id: 1, method: 1 }, 'method: expected a string, got an integer'],
  ['neither method nor result', { jsonrpc: '2.0', id: 1 }, 'method: expected a string, got nothing'],
  [
    'result and error',
    { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } },
    'either result or error, not both',
  ],
  ['a result that is an array', { jsonrpc: '2.0', id: 1, result: [] }, 'result: expected an object, got an array'],
  ['a result without an id', { jsonrpc: '2.0', result: {} }, 'id: expected a string or an integer, got nothing'],
  [
    'an error with a fractional code',
    { jsonrpc: '2.0', id: 1, error: { code: 1.5, message: '' } },
    'error: expected an integer code',
  ],
]

describe('classify', () => {
  test.each(valid)('%s', (_name, value, kind) => expect(classify(value)).toBe(kind))

  test.each(invalid)('refuses %s and says why', (_name, value, why) => {
    expect(classify(value)).toBe('invalid')
    expect(explainInvalid(value).message).toContain(why)
  })

  test('keeps the id of an invalid request, so that it can be answered', () => {
    expect(explainInvalid({ jsonrpc: '2.0', id: 'a', method: 1 })).toMatchObject({ id: 'a', meant: 'request' })
  })

  test('marks what was meant as a response: those are never answered', () => {
    expect(explainInvalid({ jsonrpc: '2.0', id: 1, result: 1 })).toMatchObject({ id: 1, meant: 'response' })
  })

  test('marks what was meant as a notification: those are never answered either', () => {
    expect(explainInvalid({ jsonrpc: '2.0', method: 'x', params: [] })).toMatchObject({ meant: 'notification' })
  })

  test('never throws, whatever JSON it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (classify(value) === 'invalid') expect(explainInvalid(value).message).toMatch(/^Invalid request: /)
      }),
    )
  })
})
