import fc from 'fast-check'
import { isRpcError } from '../../packages/sdk/src/errors.ts'
import { decodeHeaderValue, encodeHeaderValue } from '../../packages/sdk/src/http/header-values.ts'
import { mutatedText } from '../lib/mutate.ts'
import { assert, assertEqual, type Target, target } from '../lib/target.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }).map((one) => Buffer.from(one).toString()),
  fc.constantFrom('=?base64?YQ==?=', '=?base64?', ' a ', '\ta', 'a\r\nX: b'),
)

export const headers: Target = target({
  name: 'headers',
  claim: 'any text travels in a header and comes back the same, and any header is read or refused',
  inputs: fc.record({
    text,
    header: mutatedText(fc.constantFrom('plain', '=?base64?ZWNobw==?=', '=?base64?8J+MjQ==?=')),
  }),
  check({ text, header }) {
    const encoded = encodeHeaderValue(text)
    assert(/^[\x20-\x7e]*$/.test(encoded), `cannot stand in a header: ${JSON.stringify(encoded)}`)
    assertEqual(decodeHeaderValue(encoded), text, 'came back')
    try {
      decodeHeaderValue(header)
    } catch (error) {
      assert(isRpcError(error), `threw ${String(error)}`)
    }
  },
})
