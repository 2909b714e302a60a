import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMcpError } from '../errors.ts'
import type { JsonSchema } from '../model/tools.ts'
import { type CompileOptions, compileSchema } from './validator.ts'
import { canonicalText, isEqual } from './value.ts'

const issuesOf = (schema: JsonSchema, value: unknown, options?: CompileOptions) =>
  compileSchema(schema, options).validate(value)

function refusal(schema: unknown, options?: CompileOptions): string {
  try {
    compileSchema(schema as JsonSchema, options)
  } catch (thrown) {
    if (isMcpError(thrown) && thrown.code === 'invalid_definition') return thrown.message
    throw thrown
  }
  return 'accepted'
}

describe('issues', () => {
  const person: JsonSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2 },
      age: { type: 'integer' },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
    },
    required: ['name', 'age'],
    additionalProperties: false,
  }

  test('all are reported, each with its path, keyword, and what was expected and found', () => {
    expect(issuesOf(person, { name: 'x', age: '3', tags: ['a', 'c'], extra: 1 })).toEqual([
      { path: ['name'], keyword: 'minLength', message: 'expected at least 2 characters, got 1' },
      { path: ['age'], keyword: 'type', message: 'expected integer, got string' },
      { path: ['tags', 1], keyword: 'enum', message: 'expected one of "a", "b", got "c"' },
      { path: ['extra'], keyword: 'additionalProperties', message: 'is not allowed' },
    ])
  })

  test('a missing member is named in the path', () => {
    expect(issuesOf(person, {})).toEqual([
      { path: ['name'], keyword: 'required', message: 'is required' },
      { path: ['age'], keyword: 'required', message: 'is required' },
    ])
  })

  test('there are at most ten', () => {
    expect(issuesOf({ items: { type: 'string' } }, Array(50).fill(1))).toHaveLength(10)
  })

  test('of several alternatives the one that got furthest is reported', () => {
    const shape = (kind: string, member: JsonSchema): JsonSchema => ({
      type: 'object',
      properties: { kind: { const: kind }, size: { type: 'object', properties: { r: member } } },
      required: ['kind'],
    })
    const union = { anyOf: [shape('circle', { type: 'number' }), { type: 'string' }] }
    expect(issuesOf(union, { kind: 'circle', size: { r: 'big' } })).toEqual([
      { path: ['size', 'r'], keyword: 'type', message: 'expected number, got string' },
    ])
    expect(issuesOf(union, 5)).toEqual([
      { path: [], keyword: 'anyOf', message: 'expected a match of one of 2 alternatives, got number' },
    ])
  })

  test.each([
    [{ type: 'integer' }, 1.5, 'expected integer, got number 1.5'],
    [{ type: ['string', 'null'] }, [], 'expected string or null, got array'],
    [{ const: 1 }, 2, 'expected 1, got 2'],
    [{ minimum: 5 }, 3, 'expected >= 5, got 3'],
    [{ exclusiveMaximum: 5 }, 5, 'expected < 5, got 5'],
    [{ multipleOf: 0.1 }, 0.35, 'expected a multiple of 0.1, got 0.35'],
    [{ pattern: '^a' }, 'b', 'expected a match of "^a", got "b"'],
    [{ maxItems: 1 }, [1, 2], 'expected at most 1 items, got 2'],
    [
      { uniqueItems: true },
      [1, { a: 1, b: 2 }, { b: 2, a: 1 }],
      'expected items that differ, but item 2 repeats an earlier one',
    ],
    [{ not: { type: 'string' } }, 'x', 'expected a value that does not match a schema, got string'],
    [{ anyOf: [{ type: 'number' }] }, 'x', 'expected number, got string'],
    [{ contains: { const: 1 } }, [2], 'expected at least 1 matching items, got 0'],
    [
      { oneOf: [{ type: 'number' }, { minimum: 1 }] },
      2,
      'expected exactly one of 2 alternatives to match, got several',
    ],
  ])('%j on %j', (schema, value, message) => {
    expect(issuesOf(schema, value).map((issue) => issue.message)).toEqual([message])
  })
})

describe('values', () => {
  test('1.0 is an integer, and lengths count characters, not code units', () => {
    expect(issuesOf({ type: 'integer' }, 1.0)).toEqual([])
    expect(issuesOf({ minLength: 2, maxLength: 2 }, '😀😀')).toEqual([])
    expect(issuesOf({ minLength: 2 }, '😀')).toHaveLength(1)
    expect(issuesOf({ maxLength: 1 }, '😀😀')).toHaveLength(1)
  })

  test.each([
    [0.3, 0.1, true],
    [19.99, 0.01, true],
    [1e308, 0.123456789, false],
    [12391239123, 1e-8, true],
    [2 ** 60, 3, false],
    [-4.5, 1.5, true],
  ])('%d is a multiple of %d: %s', (value, divisor, expected) => {
    expect(compileSchema({ multipleOf: divisor }).isValid(value)).toBe(expected)
  })

  test.each([
    ['{ "maximum": 1e400 }', 1e308, true],
    ['{ "minimum": 1e400 }', 1e308, false],
    ['{ "minimum": -1e400 }', -1e308, true],
    ['{ "exclusiveMaximum": -1e400 }', -1e308, false],
    ['{ "maxLength": 1e400 }', 'text', true],
    ['{ "minItems": 1e400 }', [1], false],
    ['{ "multipleOf": 1e400 }', 0, true],
    ['{ "multipleOf": 1e400 }', 1e308, false],
  ])('a number that no double holds is a number: %s', (schema, value, expected) => {
    expect(compileSchema(JSON.parse(schema)).isValid(value)).toBe(expected)
  })

  test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
    'a member called %s is just a member',
    (name) => {
      const schema = JSON.parse(
        `{"properties":{"${name}":{"type":"string"}},"required":["${name}"],"additionalProperties":false}`,
      )
      const compiled = compileSchema(schema)
      expect(compiled.isValid(JSON.parse(`{"${name}":"x"}`))).toBe(true)
      expect(compiled.isValid(JSON.parse(`{"${name}":1}`))).toBe(false)
      expect(compiled.validate({})).toEqual([{ path: [name], keyword: 'required', message: 'is required' }])
      expect(compileSchema({ additionalProperties: false }).isValid(JSON.parse(`{"${name}":1}`))).toBe(false)
      expect(compileSchema({ dependentRequired: { [name]: ['x'] } }).isValid({})).toBe(true)
    },
  )

  test('equality and the canonicalText text agree', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        const free = () => {}
        const text = (value: unknown) => canonicalText(value, free)
        expect(isEqual(one, structuredClone(one), free)).toBe(true)
        expect(text(one) === text(other)).toBe(isEqual(one, other, free) || (Object.is(one, 0) && Object.is(other, -0)))
      }),
    )
  })

  test('any value is valid against itself as const and enum, and against the schema true', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(compileSchema({ const: value }).isValid(structuredClone(value))).toBe(true)
        expect(compileSchema({ enum: [null, value] }).isValid(structuredClone(value))).toBe(true)
        expect(compileSchema({ not: { const: value } }).isValid(value)).toBe(false)
        expect(compileSchema(true).isValid(value)).toBe(true)
        expect(compileSchema(false).isValid(value)).toBe(false)
      }),
    )
  })
})

describe('formats', () => {
  test.each([
    ['email', 'a.b+c@example.org', 'a@b@c'],
    ['uri', 'https://example.org/a?b#c', '//example.org'],
    ['date', '2024-02-29', '2023-02-29'],
    ['date-time', '2024-02-29T12:00:00.5Z', '2024-02-29 12:00:00Z'],
    ['time', '23:59:60+00:00', '22:59:60Z'],
    ['uuid', '2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2eb8aa08aa9811eab4aa73b441d16380'],
    ['ipv4', '127.0.0.1', '127.0.0.256'],
    ['ipv6', '::ffff:192.168.0.1', '1:2:3:4:5:6:7:8:9'],
    ['hostname', 'a-b.example', '-a.example'],
  ])('%s is asserted on request only', (format, good, bad) => {
    const asserted = compileSchema({ format }, { formats: true })
    expect(asserted.isValid(good)).toBe(true)
    expect(asserted.isValid(bad)).toBe(false)
    expect(asserted.isValid(5)).toBe(true)
    expect(compileSchema({ format }).isValid(bad)).toBe(true)
  })

  test('an unknown format is an annotation', () => {
    expect(compileSchema({ format: 'colour' }, { formats: true }).isValid('?')).toBe(true)
  })
})

describe('refusals name the place and the reason', () => {
  test.each([
    [{ properties: { a: { type: 'strng' } } }, "#/properties/a/type: 'strng' is not a JSON type"],
    [{ properties: { 'a/b': 5 } }, '#/properties/a~1b: a schema must be an object or a boolean'],
    [{ items: { minLength: -1 } }, '#/items/minLength: must be a non-negative integer'],
    [{ required: 'a' }, '#/required: must be a list of strings'],
    [{ anyOf: [] }, '#/anyOf: must be a list with at least one schema'],
    [{ pattern: '(' }, "#/pattern: '(' is not a usable regular expression"],
    [{ patternProperties: { '[': true } }, "#/patternProperties: '[' is not a usable regular expression"],
    [{ $ref: '#/$defs/none' }, "#/$ref: nothing is at '#/$defs/none'"],
    [{ $ref: '#none' }, "#/$ref: nothing is called '#none'"],
    [
      { $ref: 'https://example.org/x' },
      "#/$ref: 'https://example.org/x' is not part of the schema, and schemas are never fetched",
    ],
    [{ $ref: '#/__proto__' }, "#/$ref: nothing is at '#/__proto__'"],
    [
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      "#/$schema: the dialect 'http://json-schema.org/draft-04/schema#' is not supported; use 2020-12 or draft-07",
    ],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, 'is not supported; use 2020-12 or draft-07'],
    [{ $defs: { a: { $id: 'x' }, b: { $id: 'x' } } }, '#/$defs/b: two schemas have the $id'],
    [{ $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }, "#/$defs/b: two schemas have the anchor 'x'"],
    [{ $ref: '#' }, '#: the schema refers to itself without looking into the value'],
    [
      { $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' },
      'refers to itself',
    ],
  ])('%j', (schema, message) => {
    expect(refusal(schema)).toContain(message)
  })

  test('but circles through the value are fine', () => {
    const tree = compileSchema({ type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } })
    expect(tree.isValid({ children: [{ children: [] }] })).toBe(true)
    expect(tree.validate({ children: [{ children: [5] }] })[0]?.path).toEqual(['children', 0, 'children', 0])
  })
})

describe('dialects', () => {
  test('draft-07 is chosen by $schema, and siblings of its $ref do not count', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { n: { type: 'number' } },
      $ref: '#/definitions/n',
      maximum: 1,
    }
    expect(compileSchema(schema).isValid(5)).toBe(true)
    expect(compileSchema({ ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' }).isValid(5)).toBe(false)
  })

  test('an array for items means a tuple in draft-07 only', () => {
    const schema = { items: [{ type: 'string' }], additionalItems: false }
    expect(compileSchema(schema, { defaultDialect: 'draft-07' }).isValid(['a', 1])).toBe(false)
    expect(refusal(schema)).toContain('#/items')
  })

  test('other documents are only found if they were handed over', () => {
    const documents = new Map([['https://example.org/int', { type: 'integer' }]])
    expect(compileSchema({ $ref: 'https://example.org/int' }, { documents }).isValid('x')).toBe(false)
  })
})
