import { describe, expect, test } from 'vitest'
import { readMembers } from './several.ts'

describe('the names of several servers', () => {
  test('become prefixes', () => {
    expect(readMembers(['everything', 'my docs', 'web=https://example.com/mcp?a=b'])).toEqual([
      { prefix: 'everything__', name: 'everything', target: 'everything' },
      { prefix: 'my_docs__', name: 'my docs', target: 'my docs' },
      { prefix: 'web__', name: 'web', target: 'https://example.com/mcp?a=b' },
    ])
  })

  test.each([
    [[], 'Expected the names of servers'],
    [['a', 'a'], '"a" is named twice'],
    [['a b', 'a.b'], 'a b and a.b both become a_b__'],
    [['https://example.com/mcp'], 'needs a name'],
  ])('%j is refused', (words, message) => {
    expect(() => readMembers(words)).toThrow(message)
  })
})
