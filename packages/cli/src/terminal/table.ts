import { join, type Part, say, TerminalText, toText } from './text.ts'
import { cut, fit, widthOf } from './width.ts'

/** Aligned columns, no wider than the given ones: the last one is cut first, then the widest of the others. */
export const table = (rows: readonly (readonly Part[])[], columns: number, indent = ''): TerminalText =>
  join(tableLines(rows, columns, indent).map((line) => say`${line}\n`))

const gap = '  '

export function tableLines(rows: readonly (readonly Part[])[], columns: number, indent = ''): TerminalText[] {
  const cells = rows.map((row) => row.map(toText))
  const count = Math.max(0, ...cells.map((row) => row.length))
  const wanted = Array.from({ length: count }, (_, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  )
  const widths = shares(wanted, columns - indent.length - gap.length * (count - 1))
  return cells.map((row) => {
    const line = row.map((cell, column) =>
      column === row.length - 1 ? cut(cell, widths[column]!) : fit(cell, widths[column]!),
    )
    return TerminalText.trust(`${indent}${join(line, gap)}`.trimEnd())
  })
}

/** The widths of the columns in as much room as there is. The last one, a text, keeps at least a third of it. */
function shares(wanted: readonly number[], room: number): number[] {
  const last = wanted.at(-1) ?? 0
  const others = wanted.slice(0, -1)
  const left = room - sum(others)
  if (left >= last) return [...wanted]
  const text = Math.max(left, Math.min(last, Math.ceil(room / 3)), 1)
  return [...levelled(others, Math.max(room - text, others.length)), text]
}

/** Widths whose sum is at most `room`: the widest are made narrower, all to the same width. */
function levelled(widths: readonly number[], room: number): number[] {
  let level = Math.max(1, ...widths)
  while (level > 1 && sum(widths.map((width) => Math.min(width, level))) > room) level -= 1
  return widths.map((width) => Math.min(width, level))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
