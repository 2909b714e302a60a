import { expect, test } from 'vitest'
import { RepeatedLines } from './repeated-lines.ts'

const shown = (lines: RepeatedLines, ...texts: string[]): string[] => texts.filter((text) => !lines.isRepeated(text))

test('the lines of a second start are shown where they differ, and all of them after a change', () => {
  const lines = new RepeatedLines()
  lines.restart()
  expect(shown(lines, 'a', 'b', 'b')).toEqual(['a', 'b', 'b'])
  lines.restart()
  expect(shown(lines, 'a', 'b', 'c', 'b')).toEqual(['c', 'b'])
  lines.forget()
  lines.restart()
  expect(shown(lines, 'a')).toEqual(['a'])
})
