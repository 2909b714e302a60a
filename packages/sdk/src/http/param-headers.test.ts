import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mcpName } from './names.ts'
import { headersFor, mismatch, paramHeaders } from './param-headers.ts'

const schema = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })
const region = { type: 'string', 'x-mcp-header': 'Region' }
const lookup = (headers: [string, string][]) => (name: string) =>
  new Headers(headers.map(([key, value]) => [key, value])).get(name)

describe('annotations', () => {
  // [http.param.static-path]
  test('are found with their place and type', () => {
    const nested = schema({
      region,
      deep: schema({ n: { type: 'integer', 'x-mcp-header': 'N' } }),
      plain: { type: 'string' },
    })
    expect(paramHeaders(nested)).toEqual({
      params: [
        { header: 'Mcp-Param-Region', path: ['region'], type: 'string' },
        { header: 'Mcp-Param-N', path: ['deep', 'n'], type: 'integer' },
      ],
      problems: [],
    })
  })

  // [http.param.name-not-empty] [http.param.name-token] [http.param.name-no-control] [http.param.name-unique]
  // [http.param.primitive-types] [http.param.no-dynamic-path]
  test.each([
    ['empty', { a: { type: 'string', 'x-mcp-header': '' } }],
    ['with a space', { a: { type: 'string', 'x-mcp-header': 'a b' } }],
    ['with a colon', { a: { type: 'string', 'x-mcp-header': 'a:b' } }],
    ['with a line end', { a: { type: 'string', 'x-mcp-header': 'a\r\nb' } }],
    ['beyond ASCII', { a: { type: 'string', 'x-mcp-header': 'é' } }],
    ['that are no text', { a: { type: 'string', 'x-mcp-header': 1 } }],
    ['on a number', { a: { type: 'number', 'x-mcp-header': 'A' } }],
    ['on an object', { a: { type: 'object', 'x-mcp-header': 'A' } }],
    ['on an array', { a: { type: 'array', 'x-mcp-header': 'A' } }],
    ['on null', { a: { type: 'null', 'x-mcp-header': 'A' } }],
    ['without a type', { a: { 'x-mcp-header': 'A' } }],
    ['used twice, ignoring case', { a: region, b: { type: 'string', 'x-mcp-header': 'REGION' } }],
    ['in items', { a: { type: 'array', items: region } }],
    ['in a choice', { a: { anyOf: [region] } }],
    ['in a definition', { a: { $ref: '#/$defs/r', $defs: { r: region } } }],
    ['in a property of items that is named like a keyword', { a: { items: { properties: { default: region } } } }],
  ])('%s make the tool unusable', (_, properties) => {
    expect(paramHeaders(schema(properties)).problems).toHaveLength(1)
  })

  test('at the root make the tool unusable', () => {
    expect(paramHeaders({ ...schema({}), 'x-mcp-header': 'A', type: 'string' }).problems).toHaveLength(1)
  })

  test('are not looked for in data, nor in names', () => {
    const harmless = schema({
      a: { type: 'string', default: { 'x-mcp-header': '' }, enum: [{ 'x-mcp-header': 1 }] },
      'x-mcp-header': { type: 'number' },
    })
    expect(paramHeaders(harmless)).toEqual({ params: [], problems: [] })
  })

  test('any value is taken for a schema without an exception', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void paramHeaders(value)))
  })
})

describe('headers of a call', () => {
  const { params } = paramHeaders(
    schema({
      region,
      on: { type: 'boolean', 'x-mcp-header': 'On' },
      deep: schema({ n: { type: 'integer', 'x-mcp-header': 'N' } }),
    }),
  )

  test('repeat what is there', () => {
    expect(headersFor(params, { region: 'é', on: false, deep: { n: -3 }, other: 1 })).toEqual([
      ['Mcp-Param-Region', '=?base64?w6k=?='],
      ['Mcp-Param-On', 'false'],
      ['Mcp-Param-N', '-3'],
    ])
    expect(headersFor(params, { region: '' })).toEqual([['Mcp-Param-Region', '']])
  })

  test('leave out what is absent, null or no single value', () => {
    expect(headersFor(params, { region: null, deep: 'x', on: [] })).toEqual([])
    expect(headersFor(params, undefined)).toEqual([])
  })

  test('agree with the arguments they were made from', () => {
    const args = fc.record(
      { region: fc.string({ unit: 'grapheme' }), on: fc.boolean(), deep: fc.record({ n: fc.maxSafeInteger() }) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(args, (one) => void expect(mismatch(params, one, lookup(headersFor(params, one)))).toBeUndefined()),
    )
  })

  // [http.param.validate-match] [http.param.missing-header-rejected] [http.param.reject-invalid-chars]
  test.each([
    ['missing', [], 'Mcp-Param-Region is missing'],
    ['different', [['mcp-param-region', 'EU']], 'differs from argument region'],
    ['malformed', [['mcp-param-region', '=?base64?%?=']], 'malformed'],
  ] as [string, [string, string][], string][])('one that is %s is named', (_, headers, text) => {
    expect(mismatch(params, { region: 'eu' }, lookup(headers))).toContain(text)
  })

  test('one without an argument is named', () => {
    expect(mismatch(params, { region: null }, lookup([['Mcp-Param-Region', 'eu']]))).toContain('no such argument')
  })

  // [http.validate.integers-numerically]
  test('integers are compared as numbers', () => {
    const sent = (value: string) => mismatch(params, { deep: { n: 42 } }, lookup([['Mcp-Param-N', value]]))
    expect(sent('42.0')).toBeUndefined()
    expect(sent('43')).toBeDefined()
    expect(sent('0x2a')).toBeDefined()
    expect(sent('4.2e1')).toBeDefined()
  })
})

// [http.param.integer-range]
test('an integer that two readers may round differently agrees with no header', () => {
  const { params } = paramHeaders(schema({ n: { type: 'integer', 'x-mcp-header': 'N' } }))
  const sent = (n: number) => mismatch(params, { n }, lookup([['Mcp-Param-N', String(n)]]))
  expect(sent(2 ** 53 - 1)).toBeUndefined()
  expect(sent(-(2 ** 53) + 1)).toBeUndefined()
  expect(sent(2 ** 53)).toBeDefined()
})

test('Mcp-Name repeats the member that names the thing', () => {
  expect(mcpName('tools/call', { name: 'a' })).toBe('a')
  expect(mcpName('resources/read', { uri: 'b:' })).toBe('b:')
  expect(mcpName('prompts/get', { name: 'c' })).toBe('c')
  expect(mcpName('tasks/get', { taskId: 'd' })).toBe('d')
  expect(mcpName('tools/list', { name: 'a' })).toBeUndefined()
  expect(mcpName('tools/call', { name: 1 })).toBeUndefined()
})
