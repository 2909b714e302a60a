import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import Type from 'typebox'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isMcpError } from '../errors.ts'
import { formatIssues, type ParseIssue, type SchemaLike, toSchema } from './bridge.ts'
import type { StandardSchemaV1 } from './standard.ts'

const what = "tool 'add' input"

function refusal(schema: unknown, use: 'input' | 'output' = 'input'): string {
  try {
    toSchema(schema as SchemaLike, use, what)
  } catch (thrown) {
    if (isMcpError(thrown) && thrown.code === 'invalid_definition') return thrown.message
    throw thrown
  }
  return 'accepted'
}

async function issuesOf(schema: SchemaLike, value: unknown): Promise<ParseIssue[]> {
  const result = await toSchema(schema, 'input', what).parse(value)
  return result.ok ? [] : result.issues
}

const libraries: Record<string, SchemaLike> = {
  zod: z.object({ a: z.number(), b: z.string().optional(), list: z.array(z.object({ n: z.int() })).optional() }),
  valibot: toStandardJsonSchema(
    v.object({
      a: v.number(),
      b: v.optional(v.string()),
      list: v.optional(v.array(v.object({ n: v.pipe(v.number(), v.integer()) }))),
    }),
  ),
  arktype: type({ a: 'number', 'list?': type({ n: 'number.integer' }).array() }),
  typebox: Type.Object({
    a: Type.Number(),
    b: Type.Optional(Type.String()),
    list: Type.Optional(Type.Array(Type.Object({ n: Type.Integer() }))),
  }),
  'JSON Schema': {
    type: 'object',
    properties: { a: { type: 'number' }, list: { type: 'array', items: { $ref: '#/$defs/n' } } },
    required: ['a'],
    $defs: { n: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
  } as const,
  'JSON Schema of draft-07': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { a: { type: 'number' }, list: { type: 'array', items: { $ref: '#/definitions/n' } } },
    required: ['a'],
    definitions: { n: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
  } as const,
}

describe.each(Object.entries(libraries))('%s', (_name, schema) => {
  test('describes itself as a JSON Schema of an object', () => {
    const { json } = toSchema(schema, 'input', what)
    expect(json).toMatchObject({ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] })
    expect(JSON.parse(JSON.stringify(json))).toEqual(json)
  })

  test('takes what fits, at once', () => {
    const value = { a: 1, list: [{ n: 1 }] }
    expect(toSchema(schema, 'input', what).parse(value)).toEqual({ ok: true, value })
  })

  test('says where and why something does not fit', async () => {
    const issues = await issuesOf(schema, { a: 'x', list: [{ n: 1 }, { n: 'y' }] })
    expect(issues.map((issue) => issue.path)).toEqual([['a'], ['list', 1, 'n']])
    expect(formatIssues(issues, 'arguments')).toMatch(
      /^arguments\.a: .*number.*(string|"x").*; arguments\.list\[1\]\.n: .*(number|integer).*(string|"y")/,
    )
  })
})

describe('JSON Schema', () => {
  test('goes out exactly as it was given, every keyword in its order, frozen against later changes', () => {
    const given = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      'x-vendor': { any: ['thing'] },
      title: 'T',
      type: 'object',
      required: ['z', 'a'],
      properties: { z: { default: null }, a: { type: 'string' }, ...JSON.parse('{"__proto__":{"type":"string"}}') },
    }
    const before = JSON.stringify(given)
    const { json } = toSchema(given, 'output', what)
    expect(JSON.stringify(json)).toBe(before)
    given.required.push('later')
    expect(JSON.stringify(json)).toBe(before)
    expect(Object.isFrozen((json.properties as Record<string, unknown>).a)).toBe(true)
  })

  test.each([
    [{ type: 'object', properties: { a: { type: 'strng' } } }, "#/properties/a/type: 'strng' is not a JSON type"],
    [{ $ref: 'https://example.org/schema.json' }, 'schemas are never fetched'],
    [{ $schema: 'https://example.org/dialect' }, "the dialect 'https://example.org/dialect' is not supported"],
    [{ default: new Date(0) }, 'expected JSON at #/default, got an instance of Date'],
    [{ properties: { f: { default: () => 1 } } }, 'expected JSON at #/properties/f/default, got function'],
    [{ maximum: Number.NaN }, 'expected JSON at #/maximum, got NaN'],
    [
      Type.Object({ n: Type.Object({ big: Type.BigInt() }) }),
      "#/properties/n/properties/big/type: 'bigint' is not a JSON type",
    ],
    [Type.Object({ u: Type.Undefined() }), "#/properties/u/type: 'undefined' is not a JSON type"],
    ['string', 'expected a schema, got string'],
    [null, 'expected a schema, got null'],
  ])('%j is refused when it is defined', (schema, reason) => {
    expect(refusal(schema)).toContain(reason)
    expect(refusal(schema)).toContain(what)
  })

  test('an object that contains itself is refused', () => {
    const loop: Record<string, unknown> = {}
    loop.not = loop
    expect(refusal(loop)).toContain('contains itself')
  })
})

describe('what a library cannot say as JSON Schema is refused with its place', () => {
  test.each<[string, unknown, 'input' | 'output', string]>([
    [
      'a Zod date',
      z.object({ x: z.object({ d: z.array(z.date().optional()) }) }),
      'input',
      '#/properties/x/properties/d/items',
    ],
    ['a Zod bigint', z.object({ b: z.bigint() }), 'input', '#/properties/b'],
    ['a Zod transform, as output', z.object({ t: z.string().transform(Number) }), 'output', '#/properties/t'],
    [
      'a Zod map',
      z.object({ m: z.union([z.string(), z.map(z.string(), z.string())]) }),
      'input',
      '#/properties/m/anyOf/1',
    ],
    ['a Zod custom type', z.object({ c: z.custom(() => true) }), 'input', '#/properties/c'],
    [
      'a Valibot date',
      toStandardJsonSchema(v.object({ x: v.object({ d: v.array(v.date()) }) })),
      'input',
      '#/properties/x/properties/d/items',
    ],
    [
      'a Valibot transform, as output',
      toStandardJsonSchema(v.object({ t: v.pipe(v.string(), v.transform(Number)) })),
      'output',
      '#/properties/t',
    ],
    ['an ArkType date', type({ x: { d: 'Date[]' } }), 'input', '#/properties/x/properties/d/items'],
    ['an ArkType bigint', type({ 'b?': 'bigint' }), 'input', '#/properties/b'],
  ])('%s', (_name, schema, use, pointer) => {
    expect(refusal(schema, use)).toContain(pointer)
    expect(refusal(schema, use)).toContain(what)
  })

  test('a transform is fine as input, and the handler gets what it makes', async () => {
    const schema = toSchema(z.object({ t: z.string().transform((text) => text.length) }), 'input', what)
    expect(schema.json).toMatchObject({ properties: { t: { type: 'string' } } })
    expect(await schema.parse({ t: 'abc' })).toEqual({ ok: true, value: { t: 3 } })
  })

  test('a refinement stays with the library, which still checks it', async () => {
    const short = 'too short'
    const schemas: SchemaLike[] = [
      z.object({ s: z.string().refine((text) => text.length > 3, short) }),
      toStandardJsonSchema(
        v.object({
          s: v.pipe(
            v.string(),
            v.check((text) => text.length > 3, short),
          ),
        }),
      ),
      type({ s: type('string').narrow((text, ctx) => text.length > 3 || ctx.mustBe('longer')) }),
    ]
    for (const schema of schemas) {
      expect(toSchema(schema, 'input', what).json).toMatchObject({ properties: { s: { type: 'string' } } })
      expect(await issuesOf(schema, { s: 'ab' })).toHaveLength(1)
    }
  })
})

describe('Standard Schema', () => {
  test('without its JSON Schema half is refused with advice', () => {
    expect(refusal(v.object({ a: v.string() }))).toContain(
      'wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
    )
    const bare: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'bare', validate: (value) => ({ value }) } }
    expect(refusal(bare)).toContain('this bare schema cannot describe itself as JSON Schema')
  })

  test('may be asynchronous', async () => {
    const schema = toSchema(
      z.object({ a: z.string().refine(async (text) => text !== 'taken', 'is taken') }),
      'input',
      what,
    )
    const parsing = schema.parse({ a: 'taken' })
    expect(parsing).toBeInstanceOf(Promise)
    expect(await parsing).toEqual({ ok: false, issues: [{ path: ['a'], message: 'is taken' }] })
  })

  test('may return paths of keys or of segments, and symbols', () => {
    const standard = {
      version: 1 as const,
      vendor: 'own',
      validate: () => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 0, Symbol('s')] }] }),
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    }
    expect(toSchema({ '~standard': standard }, 'input', what).parse({})).toEqual({
      ok: false,
      issues: [{ path: ['a', 0, 'Symbol(s)'], message: 'no' }],
    })
  })
})

test('issues are written in one line, with paths one could type', () => {
  const issues = [
    { path: ['a', 0, 'b c'], message: 'expected number, got string' },
    { path: [], message: 'is required' },
  ]
  expect(formatIssues(issues, 'arguments')).toBe(
    'arguments.a[0]["b c"]: expected number, got string; arguments: is required',
  )
})
