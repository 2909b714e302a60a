/** Input schemas of servers, as every provider takes them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adaptInputSchema } from '../../src/chat.ts'

test.each([
  [
    'an ordinary schema stays',
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    undefined,
    [],
  ],
  [
    'references are filled in',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A', title: 'An A' } },
      $defs: { A: { type: 'number' } },
      $schema: 'x',
    },
    { type: 'object', properties: { a: { type: 'number', title: 'An A' } } },
    [],
  ],
  [
    'a reference at the top is filled in',
    { $ref: '#/definitions/In', definitions: { In: { type: 'object', properties: { a: {} } } } },
    { type: 'object', properties: { a: {} } },
    [],
  ],
  [
    'a reference to itself takes any value',
    {
      type: 'object',
      properties: { child: { $ref: '#' }, list: { $ref: '#/$defs/L' } },
      $defs: { L: { type: 'array', items: { $ref: '#/$defs/L' } } },
    },
    { type: 'object', properties: { child: {}, list: { type: 'array', items: {} } } },
    [/"#" refers to itself/, /"#\/\$defs\/L" refers to itself/],
  ],
  [
    'an address is never followed',
    { type: 'object', properties: { a: { $ref: 'http://169.254.169.254/x' } } },
    { type: 'object', properties: { a: {} } },
    [/cannot be resolved and takes any value/],
  ],
  [
    'alternatives at the top become one object',
    {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, x: { type: 'number' } }, required: ['kind', 'x'] },
        { type: 'object', properties: { kind: { const: 'b' }, y: { type: 'number' } }, required: ['kind', 'y'] },
      ],
    },
    {
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, x: { type: 'number' }, y: { type: 'number' } },
      required: ['kind'],
    },
    [/"oneOf" at the top was merged/, /the top has the type "object"|/],
  ],
  [
    'all of several at the top become one object',
    {
      allOf: [
        { properties: { a: {} }, required: ['a'] },
        { properties: { b: {} }, required: ['b'] },
      ],
    },
    { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] },
    [/"allOf" at the top was merged/],
  ],
  ['no type', {}, { type: 'object', properties: {} }, [/the top has the type "object"/]],
  [
    'names that a provider refuses are left out',
    { type: 'object', properties: { 'a b': {}, ok: {} }, required: ['a b', 'ok'] },
    { type: 'object', properties: { ok: {} }, required: ['ok'] },
    [/"a b" is left out/],
  ],
  [
    'values that a keyword cannot have',
    {
      type: 'object',
      properties: { a: { type: 'strnig', minimum: '1', pattern: '(', enum: [], anyOf: 5, format: 'date' } },
      required: 'a',
    },
    { type: 'object', properties: { a: { format: 'date' } } },
    [/"type" is left out/, /"minimum"/, /"pattern"/, /"enum"/, /"anyOf"/, /"required"/],
  ],
  [
    'boolean schemas',
    { type: 'object', properties: { a: true, b: false } },
    { type: 'object', properties: { a: {}, b: { not: {} } } },
    [],
  ],
  [
    'a malformed escape',
    { type: 'object', properties: { a: { $ref: '#/%E0' } } },
    { type: 'object', properties: {} },
    [/takes any object/],
  ],
] as [string, object, object | undefined, RegExp[]][])('%s', (_name, input, expected, changes) => {
  const adapted = adaptInputSchema(input as { [keyword: string]: unknown })
  expect(adapted.schema).toEqual(expected ?? input)
  for (const change of changes) expect(adapted.changes.join('\n')).toMatch(change)
  if (changes.length === 0) expect(adapted.changes).toEqual([])
})

test('references that double with each level are not unfolded', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 30 }, (_, level) => [
      `l${level}`,
      { properties: { a: { $ref: `#/$defs/l${level + 1}` }, b: { $ref: `#/$defs/l${level + 1}` } } },
    ]),
  )
  const { schema, changes } = adaptInputSchema({ type: 'object', properties: { x: { $ref: '#/$defs/l0' } }, $defs })
  expect(schema).toEqual({ type: 'object', properties: {} })
  expect(changes).toEqual(['it is too large or deep, and takes any object'])
})

test('a property named __proto__ is a property', () => {
  const { schema } = adaptInputSchema(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'))
  expect(Object.keys(schema.properties as object)).toEqual(['__proto__'])
})

test('any JSON value leads to one object at the top without references', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('type', 'properties', 'anyOf', '$ref', 'items', '$defs', 'allOf', 'required'),
        fc.jsonValue(),
      ),
      (input) => {
        const { schema } = adaptInputSchema(input)
        expect(schema.type).toBe('object')
        expect(schema.$ref).toBeUndefined()
        expect(schema.anyOf).toBeUndefined()
      },
    ),
  )
})
