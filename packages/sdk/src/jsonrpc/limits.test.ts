import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfString, exceedsDepth } from './limits.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

describe('exceedsDepth', () => {
  test('the limit itself is allowed and one more level is not', () => {
    expect(exceedsDepth(nested(64), 64)).toBe(false)
    expect(exceedsDepth(nested(65), 64)).toBe(true)
  })

  test('siblings do not add up', () => {
    expect(exceedsDepth(JSON.stringify(Array.from({ length: 1000 }, () => [{}])), 3)).toBe(false)
  })

  test('brackets inside strings do not count, whatever is escaped before them', () => {
    for (const text of ['[[[[[[', '\\"[[[[[[', '"[[[[[[[\\', '\\\\\\"{{{{{{{'])
      expect(exceedsDepth(JSON.stringify([text, text]), 2)).toBe(false)
  })

  test('brackets after an escaped backslash at the end of a string count', () => {
    expect(exceedsDepth(`["\\\\",${nested(5)}]`, 5)).toBe(true)
  })

  test('an unfinished string ends the search', () => {
    expect(exceedsDepth(`["${'['.repeat(100)}`, 5)).toBe(false)
  })

  test('agrees with the depth of any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, limit) => {
        expect(exceedsDepth(JSON.stringify(value), limit)).toBe(depthOf(value) > limit)
      }),
    )
  })

  test('stays linear on a string of escaped quotes', () => {
    const text = JSON.stringify([nested(65), '\\"'.repeat(1_000_000)])
    expect(exceedsDepth(text, 64)).toBe(false)
    expect(endOfString(text, 1)).toBe(text.indexOf('"', 2))
  })
})
