import type { JsonSchema } from '@tenon/sdk/client'
import { compileSchema } from '@tenon/sdk/schema'
import { describe, expect, test } from 'vitest'
import { itemsIn } from './mocked-offers.ts'
import { randomFrom } from './random.ts'
import { sampleValue } from './sample-value.ts'

const tree: JsonSchema = {
  $defs: {
    node: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['name'],
    },
  },
  $ref: '#/$defs/node',
}

test.each<[string, JsonSchema]>([
  [
    'an object',
    { type: 'object', properties: { a: { type: 'number' }, b: { type: 'boolean' } }, required: ['a', 'c'] },
  ],
  ['bounds', { type: 'integer', minimum: 7, maximum: 9 }],
  ['bounds without themselves', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  ['steps', { type: 'number', multipleOf: 0.25, minimum: -3, maximum: 4 }],
  ['a range far below zero', { type: 'integer', maximum: -1_000 }],
  ['lengths', { type: 'string', minLength: 30, maxLength: 31 }],
  ['no length', { type: 'string', maxLength: 0 }],
  ['a choice', { enum: ['a', 2, null] }],
  ['a constant', { const: { a: [1] } }],
  ['one of several', { oneOf: [{ type: 'string' }, { type: 'integer', minimum: 3 }] }],
  [
    'all of several',
    { allOf: [{ type: 'object', properties: { a: { type: 'null' } }, required: ['a'] }], required: ['b'] },
  ],
  ['several types', { type: ['null', 'string'] }],
  ['a list', { type: 'array', items: { type: 'string', format: 'date-time' }, minItems: 5, maxItems: 5 }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }],
  ['a tree', tree],
  ...['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'uuid'].map(
    (format): [string, JsonSchema] => [`format ${format}`, { type: 'string', format }],
  ),
  ['nothing', {}],
])('a value for %s fits, and is the same again', (_name, schema) => {
  const validate = compileSchema(schema)
  for (const seed of ['1', '2', '3', '4', '5', '6']) {
    const value = sampleValue(schema, randomFrom(seed))
    expect(validate.validate(value), JSON.stringify(value)).toEqual([])
    expect(sampleValue(schema, randomFrom(seed))).toEqual(value)
  }
})

test('other seeds give other values', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } } as const
  const values = ['1', '2', '3', '4'].map((seed) => JSON.stringify(sampleValue(schema, randomFrom(seed))))
  expect(new Set(values).size).toBeGreaterThan(1)
})

test.each<[string, JsonSchema]>([
  [
    'requires itself',
    { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: ['a'] } } },
  ],
  ['refers to itself', { $ref: '#' }],
  ['refers to nothing', { $ref: '#/$defs/constructor' }],
  ['wants a million items', { type: 'array', minItems: 1_000_000 }],
  ['wants a million characters', { type: 'string', minLength: 1_000_000 }],
])('a schema that %s ends', (_name, schema) => {
  expect(JSON.stringify(sampleValue(schema, randomFrom('1'))).length).toBeLessThan(100_000)
})

describe('a file of a mock', () => {
  test.each([
    ['the output of tenon list', { ok: true, result: { tools: [{ name: 'a' }] } }],
    ['a result of tools/list', { tools: [{ name: 'a' }] }],
    ['tools alone', [{ name: 'a' }]],
  ])('%s', (_name, value) => {
    expect(itemsIn(value, 'f').get('tools')).toEqual([{ name: 'a', inputSchema: { type: 'object' } }])
  })

  test.each([
    ['no object', 7, 'f: expected an object, got 7'],
    ['nothing in it', {}, 'f has no tools, resources, templates or prompts'],
    ['no list', { tools: {} }, 'f: tools: expected an array'],
    ['a tool without a name', { tools: [{ name: 'a' }, {}] }, 'f: tools[1]: expected an object with name'],
  ])('%s is refused', (_name, value, message) => {
    expect(() => itemsIn(value, 'f')).toThrow(message)
  })
})
