import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { compileSchema } from '../../schema/validator.ts'
import { codecFor } from '../codecs.ts'

const listed = (outputSchema: JsonObject): JsonObject => {
  const tool = { name: 'a', inputSchema: { type: 'object' }, outputSchema }
  const { tools } = codecFor('2025-11-25').encodeResult('tools/list', { tools: [tool] })
  return (tools as JsonObject[])[0]!.outputSchema as JsonObject
}

const sent = (structuredContent: unknown): unknown =>
  codecFor('2025-11-25').encodeResult('tools/call', { content: [], structuredContent }).structuredContent

const tree = {
  anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#' } }, { $ref: '#/$defs/leaf' }],
  $defs: { leaf: { type: 'object', properties: { leaf: { const: { $ref: '#' } } }, required: ['leaf'] } },
}

describe('an output schema of a value that is not an object', () => {
  test('is wrapped like the value', () => {
    const items = { type: 'array', items: { type: 'string' } }
    expect(listed(items)).toEqual({ type: 'object', properties: { result: items }, required: ['result'] })
    expect(sent(['red'])).toEqual({ result: ['red'] })
    for (const value of [0, '', false, null, []]) expect(sent(value)).toEqual({ result: value })
    expect(sent({ a: 1 })).toEqual({ a: 1 })
  })

  test('keeps its dialect at the root', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    expect(listed({ $schema, type: 'number' })).toEqual({
      $schema,
      type: 'object',
      properties: { result: { type: 'number' } },
      required: ['result'],
    })
  })

  test('of objects only gets its type at the root, and no wrapping', () => {
    const anyOf = [{ type: 'object', required: ['a'] }, { $ref: '#/$defs/b' }]
    const $defs = { b: { type: ['object'], required: ['b'] } }
    expect(listed({ anyOf, $defs })).toEqual({ type: 'object', anyOf, $defs })
    expect(listed({ type: 'object', required: ['a'] })).toEqual({ type: 'object', required: ['a'] })
  })

  test.each([
    ['an array', { type: 'array', items: { type: 'string' } }, [['a'], []], [[1], 'a', { a: 1 }]],
    ['null or an object', { type: ['object', 'null'], required: ['a'] }, [null, { a: 1 }], [1, { b: 1 }]],
    ['a list of constants', { enum: ['a', { b: 1 }] }, ['a', { b: 1 }], ['b', { b: 2 }]],
    ['anything', {}, [1, { a: 1 }], []],
    ['a definition', { $ref: '#/$defs/n', $defs: { n: { type: 'integer' } } }, [1], ['a', 1.5]],
    ['a tree', tree, ['a', ['a', ['b']], { leaf: { $ref: '#' } }], [1, [['a', 1]], { leaf: { $ref: '#/x' } }]],
    ['one with an id', { $id: 'urn:tree', ...tree }, ['a', ['a', ['b']]], [1, [['a', 1]]]],
    ['one with an anchor', { $anchor: 'top', type: 'array', items: { $ref: '#top' } }, [[[]]], [[1]]],
  ])('fits the same values as before: %s', (_name, schema, right, wrong) => {
    const { type } = listed(schema)
    expect(type).toBe('object')
    const problems = (value: unknown): number => compileSchema(listed(schema) as never).validate(sent(value)).length
    for (const value of right) expect([value, problems(value)]).toEqual([value, 0])
    for (const value of wrong) expect([value, problems(value) > 0]).toEqual([value, true])
  })

  test('that would take long to understand is wrapped for both', () => {
    const anyOf = Array.from({ length: 50 }, () => ({ $ref: '#' }))
    const spent = cpuTime()
    expect(listed({ anyOf })).toMatchObject({ type: 'object', anyOf: [{}, { required: ['result'] }] })
    expect(spent()).toBeLessThan(1_000)
  })
})
