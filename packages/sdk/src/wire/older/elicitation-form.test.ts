import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { codecFor } from '../codecs.ts'
import { selectionFrom } from './elicitation-options.ts'

const method = 'elicitation/create'
const june = codecFor('2025-06-18')
const november = codecFor('2025-11-25')
const form = (properties: JsonObject) => ({
  mode: 'form',
  message: 'm',
  requestedSchema: { type: 'object', properties },
})
const fields = (properties: JsonObject) =>
  (june.encodeParams(method, form(properties)).requestedSchema as JsonObject).properties

const colours = {
  type: 'array',
  title: 'Colours',
  items: {
    anyOf: [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
    ],
  },
}

describe('forms of 2025-06-18', () => {
  test('titled options become names', () => {
    const oneOf = [{ const: 'r', title: 'Red' }]
    expect(fields({ a: { type: 'string', title: 'A', oneOf, default: 'r' } })).toEqual({
      a: { type: 'string', title: 'A', enum: ['r'], enumNames: ['Red'] },
    })
  })

  test('only booleans have defaults', () => {
    expect(
      fields({
        s: { type: 'string', default: 'x' },
        n: { type: 'number', default: 1 },
        b: { type: 'boolean', default: true },
      }),
    ).toEqual({ s: { type: 'string' }, n: { type: 'number' }, b: { type: 'boolean', default: true } })
  })

  test('a multiple choice becomes text that lists the options', () => {
    expect(fields({ a: { ...colours, description: 'Pick.', minItems: 1, maxItems: 2 } })).toEqual({
      a: {
        type: 'string',
        title: 'Colours',
        description: 'Pick. Any of these, separated by commas: r (Red), g (Green). At least 1. At most 2.',
      },
    })
  })

  test('a comma separated answer becomes a selection again', () => {
    const answer = { action: 'accept', content: { a: 'Red, g', b: 'x, y' } }
    const params = form({ a: colours, b: { type: 'string' } })
    expect(june.decodeResult(method, answer, params)).toEqual({
      action: 'accept',
      content: { a: ['r', 'g'], b: 'x, y' },
    })
    expect(june.decodeResult(method, { action: 'accept', content: { a: '' } }, params).content).toEqual({ a: [] })
    expect(november.decodeResult(method, answer, params)).toBe(answer)
    expect(june.decodeResult(method, answer)).toBe(answer)
  })

  test('a selection travels as text', () => {
    const result = { action: 'accept', content: { a: ['r', 'g'], n: 1.5 } }
    expect(june.encodeResult(method, result)).toEqual({ action: 'accept', content: { a: 'r, g', n: 1.5 } })
    expect(november.encodeResult(method, result)).toBe(result)
  })

  test('a URL is told in the message', () => {
    const params = { mode: 'url', message: 'Sign in', url: 'https://example.com/s', elicitationId: '1' }
    expect(june.encodeParams(method, params)).toEqual({
      message: 'Sign in\n\nhttps://example.com/s',
      requestedSchema: { type: 'object', properties: {} },
    })
  })
})

describe('URL mode', () => {
  const params = { mode: 'url', message: 'm', url: 'https://example.com/' }

  test('2025-11-25 needs an id', () => {
    expect(november.encodeParams(method, params).elicitationId).toMatch(/^[0-9a-f-]{36}$/)
    const known = { ...params, elicitationId: '1' }
    expect(november.encodeParams(method, known)).toBe(known)
  })

  // [elicit.url.params]
  test('2026-07-28 has none', () => {
    expect(codecFor('2026-07-28').encodeParams(method, { ...params, elicitationId: '1' })).toEqual(params)
  })
})

describe('a comma separated answer', () => {
  const option = (value: string, title = value) => ({ value, title })

  test('may use values, titles, other case and stray commas', () => {
    const options = [option('r', 'Red'), option('g', 'Green')]
    expect(selectionFrom(' Red ,g,, GREEN,', options)).toEqual(['r', 'g', 'g'])
  })

  test('may name options that contain commas', () => {
    const options = [option('a'), option('a, b'), option('c')]
    expect(selectionFrom('a, b, c', options)).toEqual(['a, b', 'c'])
  })

  test('keeps what is no option, for validation to refuse', () => {
    expect(selectionFrom('a, blue', [option('a')])).toEqual(['a', 'blue'])
  })

  test('brings back every selection of options without commas', () => {
    const value = fc
      .string({ minLength: 1, maxLength: 6 })
      .filter((text) => text === text.trim() && !text.includes(','))
    fc.assert(
      fc.property(fc.uniqueArray(value, { maxLength: 6 }), (values) => {
        expect(
          selectionFrom(
            values.join(', '),
            values.map((one) => option(one)),
          ),
        ).toEqual(values)
      }),
    )
  })

  test('that is hostile is read in time that grows with its length', () => {
    // Other processes may occupy the machine for any time, so only the CPU time of this one counts.
    const started = process.cpuUsage()
    selectionFrom(','.repeat(200_000) + ' '.repeat(200_000), [option('a'), option('b')])
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000)
  })
})
