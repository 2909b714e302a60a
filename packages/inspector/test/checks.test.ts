import type { JsonObject } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { checksOf, withChecks } from '../ui/saved/checks.ts'
import { expectationOf, toOperation, toSource } from '../ui/saved/source.ts'

describe('checks of an expectation', () => {
  const expectations: JsonObject[] = [
    { text: 'plain' },
    { text: '5' },
    { text: { contains: 'a', matches: '/b/i' } },
    { text: { not: '5' } },
    { text: { not: { contains: 'x' } } },
    { count: 3 },
    { count: { atLeast: 3 } },
    { at: { 'structured.sum': 5, 'content[0].text': '5', names: { includes: ['a', 'b'] } } },
    { at: { 'structured.x': { matches: '"5"' }, y: { equals: { a: 1 } }, z: null, w: { exists: false } } },
    { isError: true, structured: { sum: 5 }, schema: true, maxMs: 100 },
  ]
  test.each(expectations)('%j comes back as it was', (expectation) => {
    expect(withChecks(expectation, checksOf(expectation))).toEqual(expectation)
  })

  test('a row that nobody has filled in says nothing', () => {
    expect(withChecks({ schema: true }, [{ path: ' ', operator: 'equals', value: '' }])).toEqual({ schema: true })
  })
})

describe('a call as a file writes it', () => {
  test('what looks like a variable means itself', () => {
    const operation = toOperation('tools/call', { name: 'echo', arguments: { message: `\${x}` }, _meta: { token: 1 } })
    expect(toSource(operation)).toEqual({ tool: 'echo', arguments: { message: `$\${x}` } })
  })

  test('the answer that came is what is expected', () => {
    const operation = toOperation('tools/call', { name: 'add' })
    const result = { content: [{ type: 'text', text: '5' }], structuredContent: { sum: 5 } }
    const outcome = { kind: 'result' as const, result, durationMs: 1, warnings: [] }
    expect(expectationOf(operation, outcome, true)).toEqual({ structured: { sum: 5 }, schema: true })
    const failed = { ...outcome, result: { content: [{ type: 'text', text: 'no' }], isError: true } }
    expect(expectationOf(operation, failed, true)).toEqual({ isError: true, text: 'no' })
  })
})
