import { expect, test } from 'vitest'
import { differences } from './differences.ts'

test('places are named, and a side that has nothing there has no value', () => {
  const before = { a: [1, { b: 'x' }], 'two words': null, gone: true }
  const after = { a: [1, { b: 'y' }, 3], 'two words': 0, constructor: 'new' }
  expect(differences(before, after)).toEqual([
    { path: 'a[1].b', before: 'x', after: 'y' },
    { path: 'a[2]', after: 3 },
    { path: '["two words"]', before: null, after: 0 },
    { path: 'gone', before: true },
    { path: 'constructor', after: 'new' },
  ])
  expect(differences(after, structuredClone(after))).toEqual([])
  expect(differences([1], { 0: 1 })).toEqual([{ path: '', before: [1], after: { 0: 1 } }])
})

test('a gap of a recording fits anything, unless it is none', () => {
  expect(differences({ a: 'x [redacted]' }, { a: 'x y' })).toEqual([])
  expect(differences({ a: 'x [redacted]' }, { a: 'x y' }, { exact: true })).toHaveLength(1)
})

test('there are at most as many as asked for', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => i)
  expect(differences(many, [])).toHaveLength(100)
  expect(differences(many, [], { limit: 3 })).toHaveLength(3)
})
