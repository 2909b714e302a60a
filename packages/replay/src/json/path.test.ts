import { expect, test } from 'vitest'
import { matchesRecorded } from './matches-recorded.ts'
import { joinPath, parsePath, valueAt } from './path.ts'

test.each([
  [['a', 'b', 0, 'c'], 'a.b[0].c'],
  [['a b', 'c'], '["a b"].c'],
  [[0, -1], '[0][-1]'],
  [['x-y', '"'], 'x-y["\\""]'],
  [[], ''],
])('%j is written %s, and read again', (steps, path) => {
  expect(joinPath(steps)).toBe(path)
  expect(parsePath(path)).toEqual(steps)
})

test.each(['.a', 'a..b', 'a.', 'a[', 'a[x]', 'a["]', 'a b', '[0]a', '["\\x"]'])('%s is no path', (path) => {
  expect(parsePath(path)).toBeUndefined()
})

test('a path leads only to what a value itself has', () => {
  const value = { a: [{ b: 1 }, { b: 2 }] }
  expect(valueAt(value, ['a', -1, 'b'])).toBe(2)
  for (const path of ['constructor', 'a.length', 'a[5].b', 'a.b'])
    expect(valueAt(value, parsePath(path)!)).toBeUndefined()
})

test.each([
  ['a[redacted]c', 'abc', true],
  ['a[redacted]c', 'ac', true],
  ['a[redacted]c', 'abd', false],
  ['[redacted]', 'anything', true],
  ['[redacted]', 5, false],
  ['x[redacted]y[redacted]z', 'x1y2z', true],
  ['x[redacted]y[redacted]z', 'x1z', false],
  ['ab[redacted]ba', 'aba', false],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [[1], [1, 2], false],
])('%j fits %j: %s', (recorded, value, expected) => expect(matchesRecorded(recorded, value)).toBe(expected))
