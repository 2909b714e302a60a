import { expect, test } from 'vitest'
import { contains, matches } from './matchers.ts'
import { assertOutcome } from './run/assertions.ts'

test.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  [{ a: 1, b: 2 }, { equals: { b: 2, a: 1 } }, true],
  [{ a: 1, b: 2 }, { equals: { a: 1 } }, false],
  [{ a: 1, b: 2 }, { like: { a: 1 } }, true],
  ['abc', { not: 'abc' }, false],
  ['abc', { not: { contains: 'x' } }, true],
  ['abc', { contains: 'b' }, true],
  [['abc'], { contains: 'b' }, false],
  [[{ id: 1, name: 'a' }], { contains: { id: 1 } }, true],
  [['a', 'b', 'c'], { includes: ['c', 'a'] }, true],
  [['a'], { includes: ['a', 'b'] }, false],
  [['a'], { excludes: ['b'] }, true],
  [['a', 'b'], { excludes: ['b', 'c'] }, false],
  ['abc', { startsWith: 'a', endsWith: 'c' }, true],
  ['abc', { startsWith: 'a', endsWith: 'b' }, false],
  ['Hello', { matches: '^H' }, true],
  ['Hello', { matches: '/hello/i' }, true],
  ['Hello', { matches: 'hello' }, false],
  ['x'.repeat(200_000), { matches: 'x' }, false],
  [5, { above: 4, below: 6, atLeast: 5, atMost: 5 }, true],
  [5, { above: 5 }, false],
  [5, { atMost: 4 }, false],
  ['5', { above: 4 }, false],
  ['abc', { length: 3 }, true],
  [[1, 2], { length: { above: 2 } }, false],
  [1, { type: 'integer' }, true],
  [[], { type: 'array' }, true],
  [null, { type: 'null' }, true],
  [undefined, { exists: false }, true],
  [null, { exists: true }, true],
  ['a', { unknown: 'a' }, false],
])('%j is held against %j: %s', (found, matcher, expected) => expect(matches(found, matcher)).toBe(expected))

test.each([
  [{ a: 1, b: { c: 2, d: 3 } }, { b: { c: 2 } }, true],
  [[1, 2], [1], false],
  [[{ a: 1, b: 2 }], [{ a: 1 }], true],
  [{}, { constructor: {} }, false],
  [null, {}, false],
])('%j contains %j: %s', (found, wanted, expected) => expect(contains(found, wanted)).toBe(expected))

test('a part that is missing is named, and what is more is not', () => {
  const structured = { sum: 3, extra: 1, items: [{ id: 1, more: 2 }, { id: 2 }] }
  const failures = assertOutcome({ structured }, { structured: { sum: 4, items: [{ id: 1 }, { id: 3, name: 'x' }] } })
  expect(failures.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'structured.sum: expected 4, got 3',
    'structured.items[1].id: expected 3, got 2',
    'structured.items[1].name: expected "x", got nothing',
  ])
})
