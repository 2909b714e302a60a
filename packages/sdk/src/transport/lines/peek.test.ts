import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { peek } from './peek.ts'

describe('peek', () => {
  test('finds the id at the start, and knows a request from a response', () => {
    expect(peek('{"jsonrpc":"2.0","id":7,"method":"x","params":{"big":"aaaa')).toEqual({ id: 7, kind: 'request' })
    expect(peek(' {"id" : "a\\"b" , "result" : {"big":[')).toEqual({ id: 'a"b', kind: 'response' })
    expect(peek('\ufeff{"jsonrpc":"2.0","method":"note","params":{')).toEqual({ kind: 'request' })
  })

  test('finds the id at the end when it is not at the start', () => {
    const head = '{"method":"x","params":{"text":"aaa'
    expect(peek(head, 'aa\\"}","id":1},"jsonrpc":"2.0","id":2}\r')).toEqual({ id: 2, kind: 'request' })
    expect(peek('{"error":{"data":"', '","code":1},"id":"x{\\\\"}')).toEqual({ id: 'x{\\', kind: 'response' })
  })

  test('an id that is not at the top level is not the id', () => {
    expect(peek('{"params":{"id":1,"a":[{"id":2}', '"id":3}]}}')).toEqual({})
    expect(peek('{"params":"\\"id\\":1', '\\"id\\":1}"}')).toEqual({})
    expect(peek('[{"id":1}', '{"id":1}]')).toEqual({})
  })

  test('an id that no request can have is not read', () => {
    for (const id of ['null', '1.5', '1e3', '{}', '[1]', 'true', '99999999999999999999', '-'])
      expect(peek(`{"id":${id},"x":1}`).id).toBeUndefined()
  })

  test('agrees with JSON.parse on any message, wherever the id stands', () => {
    const id = fc.oneof(fc.string(), fc.maxSafeInteger())
    const filler = fc.dictionary(
      fc.string().filter((name) => !['id', 'method', 'result', 'error', '__proto__'].includes(name)),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(id, filler, filler, (value, before, after) => {
        const text = JSON.stringify({ ...before, id: value, method: 'm', ...after })
        expect(peek(text)).toEqual({ id: Object.is(value, -0) ? 0 : value, kind: 'request' })
        expect(peek('', ` ${text}`)).toEqual({ id: Object.is(value, -0) ? 0 : value, kind: 'request' })
      }),
    )
  })

  test('no text makes it throw', () => {
    const part = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'id', '"id"', '1', ' ', '\ud800', 'null')
    const text = fc.array(part).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (head, tail) => void peek(head, tail)),
      { numRuns: 2000 },
    )
  })
})
