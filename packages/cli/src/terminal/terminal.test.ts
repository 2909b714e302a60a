import { describe, expect, test } from 'vitest'
import { coloured, plain, wantsColour } from './style.ts'
import { table } from './table.ts'
import { cut, fit, widthOf, wrap } from './width.ts'

describe('columns', () => {
  test('count what a terminal shows', () => {
    expect(widthOf('日本')).toBe(4)
    expect(widthOf('e\u0301')).toBe(1)
    expect(widthOf(coloured.red('red'))).toBe(3)
    expect(fit('ab', 4)).toBe('ab  ')
    expect(cut('日本語', 5)).toBe('日本…')
  })

  test('are aligned, and the last one is cut at the edge', () => {
    const rows = [
      ['a', 'first'],
      ['long name', 'second column that is too long'],
    ]
    expect(table(rows, 30)).toBe('a          first\nlong name  second column that…\n')
    expect(table(rows, Infinity)).toContain('second column that is too long\n')
  })

  test('break at spaces', () => {
    expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
  })
})

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: false }, {}, false],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { NO_COLOR: '' }, true],
  [{ isTTY: false }, { FORCE_COLOR: '1' }, true],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
])('a stream %j in %j gets colours: %s', (stream, env, expected) => {
  expect(wantsColour(stream, env)).toBe(expected)
  expect(plain.red('x')).toBe('x')
})
