import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readExact, withNumbers, writeExact } from './exact-json.ts'

test('long integers keep their digits, in any place, and texts that look like them stay texts', () => {
  const text = '{"a":[12345678901234567890,-9007199254740993],"b":"12345678901234567890","c":9007199254740991,"d":1.50}'
  const value = readExact(text)
  expect(value).toEqual({
    a: [12345678901234567890n, -9007199254740993n],
    b: '12345678901234567890',
    c: 9007199254740991,
    d: 1.5,
  })
  expect(writeExact(value)).toBe(text.replace('1.50', '1.5'))
  expect(withNumbers(value)).toEqual(JSON.parse(text))
})

test('anything else is read and written as JSON is', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      expect(writeExact(readExact(text))).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
  expect(() => readExact('{"a": 12345678901234567890')).toThrow(SyntaxError)
  expect(Object.keys(readExact('{"__proto__":12345678901234567890}') as object)).toEqual(['__proto__'])
})
