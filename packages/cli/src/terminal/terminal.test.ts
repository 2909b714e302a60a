import { describe, expect, test } from 'vitest'
import { coloured, plain, wantsColour } from './style.ts'
import { table, tableLines } from './table.ts'
import { join, paragraph, say } from './text.ts'
import { cut, fit, widthOf, wrap } from './width.ts'

describe('text for a terminal', () => {
  const evil = 'a\u001b[2J\u202e\nb'

  test('has the strings of others made visible, in one line, and our own words as they are', () => {
    expect(String(say`\n${evil}: ${3}`)).toBe('\na␛[2J⟨U+202E⟩ b: 3')
    expect(String(join([evil, 'c'], ',\n'))).toBe('a␛[2J⟨U+202E⟩ b,\nc')
    expect(String(paragraph(evil))).toBe('a␛[2J⟨U+202E⟩\nb')
  })

  test('is taken as it is by another one', () => {
    expect(String(say`${coloured.red(evil)} ${say`${evil}`}`)).toBe(
      '\u001b[31ma␛[2J⟨U+202E⟩ b\u001b[39m a␛[2J⟨U+202E⟩ b',
    )
    expect(String(cut(evil, 4))).toBe('a␛[…')
    expect(String(table([[evil, coloured.bold(evil)]], Infinity))).toBe(
      'a␛[2J⟨U+202E⟩ b  \u001b[1ma␛[2J⟨U+202E⟩ b\u001b[22m\n',
    )
  })

  test('keeps the spaces that align it', () => expect(String(say`${'  a '}|`)).toBe('  a |'))
})

describe('columns', () => {
  test('count what a terminal shows', () => {
    expect(widthOf('日本')).toBe(4)
    expect(widthOf('e\u0301')).toBe(1)
    expect(widthOf(coloured.red('red'))).toBe(3)
    expect(String(fit('ab', 4))).toBe('ab  ')
    expect(String(cut('日本語', 5))).toBe('日本…')
  })

  test('are aligned, and the last one is cut at the edge', () => {
    const rows = [
      ['a', 'first'],
      ['long name', 'second column that is too long'],
    ]
    expect(String(table(rows, 30))).toBe('a          first\nlong name  second column that…\n')
    expect(String(table(rows, Infinity))).toContain('second column that is too long\n')
  })

  test('never exceed the edge: long first columns are cut too, with their colours', () => {
    const rows = [
      [coloured.cyan('short()'), 'text/plain', 'first'],
      [coloured.cyan(`long(${'argument, '.repeat(20)})`), 'text/plain', 'second column that is too long for the line'],
    ]
    const lines = tableLines(rows, 60, '  ')
    expect(lines.map(widthOf)).toEqual([expect.any(Number), 60])
    expect(String(lines[1])).toContain('…\u001b[39m')
    expect(String(lines[1])).toContain('second column')
    for (const line of tableLines(rows, 20)) expect(widthOf(line)).toBeLessThanOrEqual(20)
  })

  test('break at spaces', () => {
    expect(wrap(paragraph('one two three\nfour'), 8).map(String)).toEqual(['one two', 'three', 'four'])
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
  expect(String(plain.red('x'))).toBe('x')
})
