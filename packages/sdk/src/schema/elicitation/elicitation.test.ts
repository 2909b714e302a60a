import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import Type from 'typebox'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isMcpError } from '../../errors.ts'
import type { ElicitationSchema } from '../../model/elicitation.ts'
import { type SchemaLike, toSchema } from '../bridge.ts'
import { compileSchema } from '../validator.ts'
import { applyDefaults } from './defaults.ts'
import { toElicitationSchema } from './elicitation.ts'

const what = 'elicitation schema'
const formOf = (schema: SchemaLike): ElicitationSchema =>
  toElicitationSchema(toSchema(schema, 'input', what).json, what)

function refusal(schema: SchemaLike): string {
  try {
    formOf(schema)
  } catch (thrown) {
    if (isMcpError(thrown) && thrown.code === 'invalid_definition') return thrown.message
    throw thrown
  }
  return 'accepted'
}

describe('forms from libraries', () => {
  test('Zod: every kind of field, without what a form cannot show', () => {
    const form = formOf(
      z.strictObject({
        name: z.string().min(2).max(40).describe('Your name'),
        email: z.email(),
        site: z.url().optional(),
        day: z.iso.date(),
        at: z.iso.datetime(),
        id: z.uuid(),
        age: z.int().min(18).max(120),
        count: z.int().positive(),
        share: z.number().gt(0).lt(1),
        news: z.boolean().default(true),
        size: z.enum(['s', 'm']).default('m'),
        colour: z.union([z.literal('red'), z.literal('blue')]),
        tags: z
          .array(z.enum(['a', 'b']))
          .min(1)
          .max(2),
        code: z.string().startsWith('a').endsWith('b'),
        note: z.string().nullish(),
        agree: z.literal(true),
      }),
    )
    expect(form).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2, maxLength: 40, description: 'Your name' },
        email: { type: 'string', format: 'email' },
        site: { type: 'string', format: 'uri' },
        day: { type: 'string', format: 'date' },
        at: { type: 'string', format: 'date-time' },
        id: { type: 'string' },
        age: { type: 'integer', minimum: 18, maximum: 120 },
        count: { type: 'integer', minimum: 1 },
        share: { type: 'number', minimum: 0, maximum: 1 },
        news: { type: 'boolean', default: true },
        size: { type: 'string', enum: ['s', 'm'], default: 'm' },
        colour: { type: 'string', enum: ['red', 'blue'] },
        tags: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b'] } },
        code: { type: 'string' },
        note: { type: 'string' },
        agree: { type: 'boolean' },
      },
      required: ['name', 'email', 'day', 'at', 'id', 'age', 'count', 'share', 'colour', 'tags', 'code', 'agree'],
    })
  })

  test.each<[string, SchemaLike]>([
    ['Zod', z.object({ a: z.string(), n: z.int().min(1), c: z.enum(['x', 'y']), b: z.boolean().optional() })],
    [
      'Valibot',
      toStandardJsonSchema(
        v.object({
          a: v.string(),
          n: v.pipe(v.number(), v.integer(), v.minValue(1)),
          c: v.union([v.literal('x'), v.literal('y')]),
          b: v.optional(v.boolean()),
        }),
      ),
    ],
    ['ArkType', type({ a: 'string', n: 'number.integer >= 1', c: "'x' | 'y'", 'b?': 'boolean' })],
    [
      'TypeBox',
      Type.Object({
        a: Type.String(),
        n: Type.Integer({ minimum: 1 }),
        c: Type.Enum(['x', 'y']),
        b: Type.Optional(Type.Boolean()),
      }),
    ],
  ])('%s: the same form', (_name, schema) => {
    const { required = [], ...form } = formOf(schema)
    expect(form).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        n: { type: 'integer', minimum: 1 },
        c: { type: 'string', enum: ['x', 'y'] },
        b: { type: 'boolean' },
      },
    })
    expect(required.toSorted()).toEqual(['a', 'c', 'n'])
  })

  test('a schema that is used twice is found in $defs', () => {
    const size = z.enum(['s', 'm']).meta({ id: 'Size' })
    expect(formOf(z.object({ one: size, two: size })).properties).toMatchObject({
      one: { type: 'string', enum: ['s', 'm'] },
      two: { type: 'string', enum: ['s', 'm'] },
    })
  })
})

describe('forms from JSON Schema', () => {
  const field = (schema: Record<string, unknown>) => formOf({ type: 'object', properties: { f: schema } }).properties.f

  test('titled choices, old and new, single and multiple', () => {
    const options = [
      { const: 'a', title: 'A' },
      { const: 'b', title: 'B' },
    ]
    expect(field({ type: 'string', oneOf: options, default: 'a' })).toEqual({
      type: 'string',
      oneOf: options,
      default: 'a',
    })
    expect(field({ anyOf: options })).toEqual({ type: 'string', oneOf: options })
    const older = { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] }
    expect(field(older)).toEqual(older)
    expect(field({ ...older, enumNames: ['A'] })).toEqual({ ...older, enumNames: ['A', 'b'] })
    expect(field({ type: 'array', items: { anyOf: options }, default: ['b'] })).toEqual({
      type: 'array',
      items: { anyOf: options },
      default: ['b'],
    })
    expect(field({ oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] })).toEqual({
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'b' },
      ],
    })
  })

  test('fields may have any name', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["__proto__"]}',
    )
    expect(JSON.stringify(formOf(schema))).toBe(JSON.stringify(schema))
  })

  test.each<[Record<string, unknown>, string]>([
    [{ type: 'object', properties: {} }, 'only strings, numbers, booleans and choices, not "object"'],
    [{ type: 'array', items: { type: 'number' } }, 'the items of a list must be a choice of strings'],
    [{ enum: [1, 2] }, 'a schema with enum'],
    [{ type: 'string', not: { const: 'x' } }, "'not' cannot be part of a form"],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'a schema with anyOf'],
    [{}, 'a schema with no type'],
    [{ type: 'number', default: 'x' }, 'expected the default to be a number, got "x"'],
    [{ type: 'string', enum: ['a'], default: 'b' }, 'expected the default to be one of the choices'],
    [{ $ref: '#' }, 'does not point to a field'],
  ])('%j is refused with its path', (schema, reason) => {
    const message = refusal({ type: 'object', properties: { f: schema } })
    expect(message).toContain(`${what}: #/properties/f: `)
    expect(message).toContain(reason)
  })

  test('what is not an object of fields is refused', () => {
    expect(refusal({ type: 'string' })).toContain('#: expected an object of fields, got "string"')
    expect(refusal({ type: 'object', properties: {}, minProperties: 1 })).toContain(
      "#: 'minProperties' cannot be part of a form",
    )
    expect(refusal({ type: 'object', properties: { f: { type: ['string', 'null'] } }, required: ['f'] })).toContain(
      'cannot answer null',
    )
  })
})

describe('defaults', () => {
  const form: ElicitationSchema = {
    type: 'object',
    properties: {
      a: { type: 'string', default: 'x' },
      b: { type: 'boolean', default: false },
      c: { type: 'number' },
      d: { type: 'array', items: { type: 'string', enum: ['p'] }, default: ['p'] },
    },
  }

  test('fill in what was left out and nothing else', () => {
    expect(applyDefaults(form, { a: 'mine', other: 1 })).toEqual({ a: 'mine', other: 1, b: false, d: ['p'] })
    expect(applyDefaults({ ...form, properties: undefined as never }, { a: 'mine' })).toEqual({ a: 'mine' })
  })

  test('of a field called __proto__ do no harm', () => {
    const hostile = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string","default":"x"}}}')
    const filled = applyDefaults(hostile, {})
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype)
    expect(Object.keys(filled)).toEqual(['__proto__'])
  })
})

test('a form is a JSON Schema that accepts what the original accepts', () => {
  const original = z.object({ n: z.int().positive(), c: z.enum(['x', 'y']), e: z.email() })
  const value = { n: 1, c: 'x', e: 'a@example.org' }
  expect(original.safeParse(value).success).toBe(true)
  expect(compileSchema(formOf(original) as never, { formats: true }).validate(value)).toEqual([])
})
