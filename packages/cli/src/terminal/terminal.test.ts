import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coloured, plain, wantsColour } from './style.ts'
import { table } from './table.ts'
import { visible, visibleLine } from './visible.ts'
import { cut, fit, widthOf, wrap } from './width.ts'

describe('text from a server', () => {
  test.each([
    ['\u001b[2Jcleared', '␛[2Jcleared'],
    ['\u001b]52;c;ZXZpbA==\u0007', '␛]52;c;ZXZpbA==␇'],
    ['a\rb', 'a␍b'],
    ['a\r\nb\tc', 'a\r\nb\tc'],
    ['\u009b31m', '\\u{9b}31m'],
    ['\u202egnp.exe', '\\u{202e}gnp.exe'],
    ['del\u007f', 'del␡'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  test('has no control character left, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 0x10ffff })).map((codes) => String.fromCodePoint(...codes)),
        (text) => {
          expect(visibleLine(text).replaceAll('\t', '')).not.toMatch(/\p{Cc}/u)
        },
      ),
    )
  })
})

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
