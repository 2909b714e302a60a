import { expect, describe as group, test } from 'vitest'
import { checkerFor } from '../ui/form/check.ts'
import { withMember } from '../ui/form/field.tsx'
import { resolve } from '../ui/form/resolve.ts'
import { describe } from '../ui/form/shape.ts'
import { initialValue, variantOf } from '../ui/form/values.ts'

const shapeOf = (schema: object): unknown => describe(schema, schema as { [keyword: string]: unknown }).shape

group('how a value is asked for', () => {
  test.each([
    [{ type: 'string' }, { kind: 'text', input: 'text' }],
    [
      { type: 'string', format: 'date' },
      { kind: 'text', input: 'date' },
    ],
    [
      { type: 'string', maxLength: 5_000 },
      { kind: 'text', input: 'long' },
    ],
    [{ type: 'integer' }, { kind: 'number', integer: true }],
    [{ type: 'boolean' }, { kind: 'boolean' }],
    [{ const: 'x' }, { kind: 'constant', value: 'x' }],
    [{ type: 'null' }, { kind: 'constant', value: null }],
    [{}, { kind: 'json' }],
    [
      { enum: ['a', 1] },
      {
        kind: 'choice',
        options: [
          { value: 'a', label: 'a' },
          { value: 1, label: '1' },
        ],
      },
    ],
    [
      { enum: ['a'], enumNames: ['A thing'] },
      { kind: 'choice', options: [{ value: 'a', label: 'A thing' }] },
    ],
    [{ oneOf: [{ const: 'a', title: 'A' }] }, { kind: 'choice', options: [{ value: 'a', label: 'A' }] }],
    [
      { type: 'array', items: { enum: ['a'] } },
      { kind: 'choices', options: [{ value: 'a', label: 'a' }] },
    ],
  ])('%j', (schema, shape) => expect(shapeOf(schema)).toEqual(shape))

  test.each([
    [{ type: ['string', 'null'] }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [{ type: 'string', nullable: true }],
    [{ oneOf: [{ $ref: '#/$defs/text' }, { type: 'null' }], $defs: { text: { type: 'string' } } }],
  ])('%j is a text or null, not a choice of two', (schema) => {
    expect(describe(schema, schema)).toMatchObject({ nullable: true, shape: { kind: 'text' } })
  })

  test('an enum with null is a choice that may be null', () => {
    expect(describe({ enum: ['a', null] }, {})).toMatchObject({
      nullable: true,
      shape: { kind: 'choice', options: [{ value: 'a' }] },
    })
  })

  test('variants are named by title, by their constant member, or by type', () => {
    const circle = {
      type: 'object',
      properties: { kind: { const: 'circle' }, r: { type: 'number' } },
      required: ['kind'],
    }
    const schema = { anyOf: [circle, { title: 'A name', type: 'string' }, { type: 'number' }, { type: 'number' }] }
    expect(shapeOf(schema)).toMatchObject({
      kind: 'union',
      variants: [{ label: 'circle' }, { label: 'A name' }, { label: 'number (3)' }, { label: 'number (4)' }],
    })
  })

  test('allOf and references are put together, also references that lead in circles', () => {
    const root = {
      allOf: [{ $ref: '#/$defs/a' }, { properties: { y: { type: 'number' } }, required: ['y'] }],
      $defs: {
        a: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
        loop: { $ref: '#/$defs/loop' },
      },
    }
    expect(shapeOf(root)).toMatchObject({
      fields: [
        { name: 'x', required: true },
        { name: 'y', required: true },
      ],
    })
    expect(resolve({ $ref: '#/$defs/loop' }, root)).toEqual({})
    expect(resolve({ $ref: 'https://example.com/schema.json' }, root)).toEqual({})
    expect(resolve({ $ref: '#/constructor/prototype' }, root)).toEqual({})
  })
})

group('what a form begins with', () => {
  test('defaults, constants and what is required; nothing else', () => {
    const schema = {
      type: 'object',
      required: ['name', 'flag', 'list', 'inner'],
      properties: {
        name: { type: 'string' },
        flag: { type: 'boolean' },
        list: { type: 'array', items: {} },
        inner: {
          type: 'object',
          properties: { kind: { const: 'x' }, n: { type: 'number', default: 3 } },
          required: ['kind'],
        },
        optional: { type: 'string' },
        size: { type: 'number', default: 2 },
      },
    }
    expect(initialValue(schema, schema)).toEqual({ flag: false, list: [], inner: { kind: 'x', n: 3 }, size: 2 })
  })

  test('a schema that requires itself ends', () => {
    const schema = { type: 'object', properties: { child: { $ref: '#' } }, required: ['child'] }
    expect(JSON.stringify(initialValue(schema, schema)).length).toBeLessThan(500)
  })

  test('the variant of a value is found by its constant member', () => {
    const variant = (kind: string) => ({
      schema: { type: 'object', properties: { kind: { const: kind } }, required: ['kind'] },
    })
    expect(variantOf({ kind: 'b' }, [variant('a'), variant('b')], {})).toBe(1)
  })
})

test('what does not fit is found where it is', () => {
  const { issues } = checkerFor({ type: 'object', properties: { 'a/b': { type: 'array', items: { type: 'number' } } } })
  expect([...issues({ 'a/b': [1, 'x'] })]).toEqual([['/a~1b/1', [expect.stringContaining('number')]]])
})

test('a schema that cannot be used is told of, and nothing throws', () => {
  expect(checkerFor({ type: 5 }).problem).toBeDefined()
})

test('a member named __proto__ is a member', () => {
  const value = withMember({ a: 1 }, '__proto__', { x: 1 })
  expect(JSON.stringify(value)).toBe('{"a":1,"__proto__":{"x":1}}')
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(withMember({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
})
