import { cut, fit, widthOf } from './width.ts'

/** Aligned columns, the last of which takes what is left and is cut at the edge. Cells without colours only in it. */
export function table(rows: readonly (readonly string[])[], columns: number, indent = ''): string {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  )
  return rows
    .map((row) => {
      let line = indent
      for (const [column, cell] of row.entries()) {
        const last = column === row.length - 1
        const room = columns - widthOf(line)
        line += last ? (columns === Infinity ? cell : cut(cell, Math.max(room, 12))) : `${fit(cell, widths[column]!)}  `
      }
      return `${line.trimEnd()}\n`
    })
    .join('')
}
