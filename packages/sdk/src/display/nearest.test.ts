import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

test.each([
  ['ad', ['add', 'echo'], ['add']],
  ['colour', ['color', 'size'], ['color']],
  ['hte', ['the', 'dog'], ['the']],
  ['list', ['lists', 'lisp', 'unrelated'], ['lists', 'lisp']],
  ['dividend', ['echo'], []],
  ['x', ['y'], ['y']],
  ['at', ['of'], []],
  ['wri', ['write_note', 'read'], ['write_note']],
])('the nearest to %s among %j is %j', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toEqual(expected)
})

test('names of any length take little time', () => {
  expect(nearest('x'.repeat(100_000), ['y'.repeat(100_000)])).toEqual([])
})
