import { join, type Part, say, TerminalText, toText } from './text.ts'
import { cut, fit, widthOf } from './width.ts'

/** Aligned columns; the last one takes the remaining width and is cut at the edge. Its cells have no colours. */
export const table = (rows: readonly (readonly Part[])[], columns: number, indent = ''): TerminalText =>
  join(tableLines(rows, columns, indent).map((line) => say`${line}\n`))

export function tableLines(rows: readonly (readonly Part[])[], columns: number, indent = ''): TerminalText[] {
  const cells = rows.map((row) => row.map(toText))
  const count = Math.max(0, ...cells.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  )
  return cells.map((row) => {
    let line = indent
    for (const [column, cell] of row.entries()) {
      const last = column === row.length - 1
      const room = columns - widthOf(TerminalText.trust(line))
      line += last ? (columns === Infinity ? cell : cut(cell, Math.max(room, 12))) : `${fit(cell, widths[column]!)}  `
    }
    return TerminalText.trust(line.trimEnd())
  })
}
