import { describe, expect, test } from 'vitest'
import { isMcpError } from '../errors.ts'
import type { JsonSchema } from '../model/tools.ts'
import { compileSchema } from './validator.ts'

/** Repeats a wrapping without recursion. */
function nest<T>(depth: number, start: T, wrap: (inner: T) => T): T {
  let value = start
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

const keywordsOf = (schema: JsonSchema, value: unknown): string[] =>
  compileSchema(schema)
    .validate(value)
    .map((issue) => issue.keyword)
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`)
const objectOf = (keys: string[], value: unknown): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, value]))

const many = Array.from({ length: 100_000 }, (_, index) => index)
const long = 'x'.repeat(1_000_000)

describe('schemas that are too much are refused when compiled', () => {
  const chain = (length: number): JsonSchema => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${(index + 1) % length}` }]),
    ),
  })
  test.each<[string, JsonSchema]>([
    ['deep nesting', nest<JsonSchema>(100_000, {}, (inner) => ({ not: inner }))],
    [
      'deep nesting through maps and lists',
      nest<JsonSchema>(2000, {}, (inner) => ({ properties: { a: { anyOf: [inner] } } })),
    ],
    ['many schemas', { properties: Object.fromEntries(names(30_000).map((name) => [name, {}])) }],
    ['a reference to itself', { $ref: '#' }],
    ['a long circle of references', chain(5000)],
    ['a circle through every applicator', { if: true, else: { anyOf: [{ oneOf: [{ allOf: [{ $ref: '#' }] }] }] } }],
    ['a huge counted repeat', { pattern: 'a{1000000}' }],
    ['nested counted repeats', { pattern: '((a{1000}){1000}){1000}' }],
    ['a pattern with deep groups', { pattern: `${'('.repeat(5000)}${')'.repeat(5000)}` }],
    ['many large patterns', { anyOf: names(500).map((name) => ({ pattern: `${name}(?:a|b){900}` })) }],
    ['many long patterns', { anyOf: names(500).map((name) => ({ pattern: `^${'a'.repeat(5000)}${name}$` })) }],
    ['a broken fragment', { $ref: '#/%E0%A4%A' }],
    ['a broken URI', { $id: 'http://[' }],
  ])('%s', (_name, schema) => {
    expect(() => compileSchema(schema)).toThrow(
      expect.toSatisfy((error) => isMcpError(error) && error.code === 'invalid_definition'),
    )
  })

  test('an object that contains itself is refused or bounded, never followed forever', () => {
    const loop: JsonSchema = { type: 'object' }
    loop.properties = { again: loop }
    expect(compileSchema(loop).isValid({ again: { again: {} } })).toBe(true)
  })
})

describe('values that are too much are an issue, not an exception', () => {
  const doubling = (levels: number): JsonSchema => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries([
      ...Array.from({ length: levels }, (_, index) => [
        `d${index}`,
        { anyOf: [{ allOf: [{ $ref: `#/$defs/d${index + 1}` }, false] }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
      [`d${levels}`, { type: 'string' }],
    ]),
  })
  const branch: JsonSchema = { type: 'object', properties: { a: { $ref: '#' } } }
  const branching: JsonSchema = { anyOf: [branch, { ...branch }] }
  const straight = (length: number): JsonSchema => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries([
      ...Array.from({ length }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
      [`d${length}`, {}],
    ]),
  })
  test.each<[string, JsonSchema, unknown]>([
    ['references that double at each level', doubling(60), 1],
    ['alternatives that double with the depth of the value', branching, nest<unknown>(100, 'x', (a) => ({ a }))],
    ['a value deeper than the stack', { items: { $ref: '#' } }, nest<unknown>(200_000, [], (inner) => [inner])],
    ['a chain of references longer than the stack', straight(9000), 1],
    [
      'many names that others depend on',
      { items: { dependentRequired: objectOf(names(5000), []) } },
      Array(50_000).fill({}),
    ],
    ['uniqueItems on deep items', { uniqueItems: true }, [nest<unknown>(200_000, [], (inner) => [inner])]],
    [
      'many nested candidates for many items',
      { items: { not: { enum: Array(5000).fill({ a: 1 }) } } },
      Array(10_000).fill({ a: 2 }),
    ],
    [
      'patterns times names',
      {
        patternProperties: objectOf(
          names(200).map((name) => `(${name}+)+$`),
          true,
        ),
      },
      objectOf(names(20_000), 1),
    ],
    ['a pattern that backtracks through backreferences', { pattern: '^(a+)+\\1$' }, `${'a'.repeat(100)}!`],
    [
      'comparing large values again and again',
      { $defs: { c: { const: many } }, allOf: Array(5000).fill({ $ref: '#/$defs/c' }) },
      [...many],
    ],
    [
      'comparing long texts again and again',
      { $defs: { c: { const: long } }, allOf: Array(5000).fill({ $ref: '#/$defs/c' }) },
      `${long}`,
    ],
    ['texts of long items again and again', { allOf: Array(5000).fill({ uniqueItems: true }) }, [long]],
    ['counting members again and again', { allOf: Array(5000).fill({ minProperties: 1 }) }, objectOf(names(20_000), 1)],
    ['counting characters again and again', { allOf: Array(5000).fill({ maxLength: 700_000 }) }, '😀'.repeat(500_000)],
  ])('%s', (_name, schema, value) => {
    const compiled = compileSchema(schema)
    expect(compiled.isValid(value)).toBe(false)
    expect(compiled.validate(value).map((issue) => issue.keyword)).toEqual(['limit'])
  })

  test('`not` does not turn a limit into a success', () => {
    expect(keywordsOf({ not: { $ref: '#/$defs/d0' }, $defs: doubling(60).$defs }, 1)).toEqual(['limit'])
  })
})

describe('large but honest input is handled within the limits', () => {
  test.each<[string, JsonSchema, unknown]>([
    ['uniqueItems on numbers', { uniqueItems: true }, many],
    ['uniqueItems on objects', { uniqueItems: true }, many.map((id) => ({ id }))],
    [
      'a long list of objects',
      { items: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } },
      many.map((a) => ({ a })),
    ],
    ['a large enumeration', { items: { enum: many } }, many],
    ['a long string', { maxLength: 1_000_000, pattern: '^[a-z]+$' }, 'a'.repeat(500_000)],
    ['a pattern that is not anchored', { pattern: '[a-z]+[0-9]$' }, `${'a'.repeat(100_000)}1`],
    [
      'unevaluatedProperties on many members',
      { anyOf: [{ patternProperties: { '^n': true } }, {}], unevaluatedProperties: false },
      objectOf(names(20_000), 1),
    ],
  ])('%s', (_name, schema, value) => {
    expect(compileSchema(schema).validate(value)).toEqual([])
  })
})

test('limits can be set', () => {
  const limits = { maxSteps: 10, maxNodes: 3, maxDepth: 3, maxPatternSteps: 10 }
  expect(compileSchema({ items: {} }, { limits }).validate(Array(20).fill(1))[0]?.keyword).toBe('limit')
  expect(compileSchema({ items: { $ref: '#' } }, { limits }).validate([[[[]]]])[0]?.message).toBe(
    'the value is nested too deep',
  )
  expect(compileSchema({ pattern: '(a|b)*c' }, { limits }).validate('abababab')[0]?.message).toBe(
    'matching a pattern took too many steps',
  )
  expect(() => compileSchema({ allOf: [{}, {}, {}, {}] }, { limits })).toThrow('there are more than 3 schemas')
  expect(() => compileSchema({ not: { not: { not: { not: {} } } } }, { limits: { maxDepth: 3 } })).toThrow(
    'nested more than 3 deep',
  )
})
