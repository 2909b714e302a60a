import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeHeaderValue, encodeHeaderValue } from './header-values.ts'

describe('encoding', () => {
  // [http.encode.string] [http.encode.integer] [http.encode.boolean] [http.encode.base64-when-unsafe]
  // [http.encode.sentinel-collision] [http.encode.always]
  test.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['inner space', 'inner space'],
    ['tab\there', '=?base64?dGFiCWhlcmU=?='],
    ['=?BASE64?x?=', '=?BASE64?x?='],
    ['=?base64?=', '=?base64?='],
    ['', ''],
    [42, '42'],
    [-7, '-7'],
    [true, 'true'],
    [false, 'false'],
  ])('%j becomes %j', (value, header) => expect(encodeHeaderValue(value)).toBe(header))

  test('every text comes back, in characters that every header may have', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.string().map((text) => `=?base64?${text}?=`),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const header = encodeHeaderValue(text)
        expect(header).toMatch(/^[\x20-\x7e]*$/)
        expect(header).toBe(header.trim())
        expect(decodeHeaderValue(header)).toBe(text)
      }),
    )
  })
})

describe('decoding', () => {
  test('white space around a value does not belong to it', () => expect(decodeHeaderValue(' \ta b\t ')).toBe('a b'))

  // [http.encode.sentinel-exact]
  test('the marks are case-sensitive', () => expect(decodeHeaderValue('=?BASE64?YQ==?=')).toBe('=?BASE64?YQ==?='))

  test.each([
    ['no Base64', '=?base64?!?='],
    ['Base64 with bits that belong to no byte', '=?base64?ZW==?='],
    ['the same with one byte more', '=?base64?ZWN=?='],
    ['no padding', '=?base64?YQ?='],
    ['a space in it', '=?base64?YQ= =?='],
    ['no UTF-8', '=?base64?/w==?='],
    ['beyond ASCII', 'caf\u00e9'],
    ['a control character', 'a\u0001'],
  ])('%s is refused', (_, header) => expect(() => decodeHeaderValue(header)).toThrow('Header mismatch'))
})
