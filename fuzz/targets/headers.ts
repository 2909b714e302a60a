import fc from 'fast-check'
import { isRpcError } from '../../packages/sdk/src/errors.ts'
import { decodeHeaderValue, encodeHeaderValue } from '../../packages/sdk/src/http/header-values.ts'
import { mutatedText } from '../lib/mutate.ts'
import { assert, assertEqual, type Target, target } from '../lib/target.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }).map((one) => Buffer.from(one).toString()),
  fc.constantFrom('=?base64?YQ==?=', '=?base64?', ' a ', '\ta', 'a\r\nX: b', '\ufeffa'),
)

export const headers: Target = target({
  name: 'headers',
  claim: 'any text travels in a header and comes back the same, and any header is read in one way or refused',
  inputs: fc.record({
    text,
    header: mutatedText(fc.constantFrom('plain', '=?base64?ZWNobw==?=', '=?base64?8J+MjQ==?=', '=?base64?77u/YQ==?=')),
  }),
  check({ text, header }) {
    const encoded = encodeHeaderValue(text)
    assert(/^[\x20-\x7e]*$/.test(encoded), `cannot stand in a header: ${JSON.stringify(encoded)}`)
    // Spaces around a value are lost.
    assert(encoded === encoded.trim(), `does not arrive as it is: ${JSON.stringify(encoded)}`)
    assertEqual(decodeHeaderValue(encoded), text, 'came back')
    const read = readOrRefused(header)
    if (read === undefined) return
    assert(/^[\t\x20-\x7e]*$/.test(header), `was read, and cannot stand in a header: ${JSON.stringify(header)}`)
    const marked = /^[\t ]*=\?base64\?(.*)\?=[\t ]*$/.exec(header)?.[1]
    // Others may decode lenient forms differently, and a check of the header would pass for another value.
    if (marked !== undefined) assertEqual(Buffer.from(read).toString('base64'), marked, 'what was read, encoded')
    else assertEqual(read, header.replace(/^[\t ]+|[\t ]+$/g, ''), 'what was read')
  },
})

function readOrRefused(header: string): string | undefined {
  try {
    return decodeHeaderValue(header)
  } catch (error) {
    assert(isRpcError(error), `threw ${String(error)}`)
    return undefined
  }
}
