import { maxObjects } from '../engine/page.ts'
import type { Cell, Page } from '../engine/protocol.ts'
import { rowTexts } from '../engine/tabular.ts'

export interface StructuredPage {
  columns: string[]
  rows: Cell[][]
  next_offset?: number
  cut?: { row: number; column: string; length: number }[]
}

export const structuredPage = ({ columns, rows, nextOffset, cut }: Page): StructuredPage => ({
  columns,
  rows,
  ...(nextOffset !== undefined && { next_offset: nextOffset }),
  ...(cut.length > 0 && { cut: [...cut] }),
})

/** The rows as JSON, one per line, and remarks on what is missing. With the names in each of many rows, names would be most of it. */
export function pageContent(page: Page): string[] {
  const { rows, nextOffset, cut } = page
  const content = [rows.length > maxObjects ? arraysText(page) : objectsText(page)]
  if (nextOffset !== undefined) {
    content.push(`There are more rows. Call again with offset ${nextOffset}; with ORDER BY the pages fit together.`)
  }
  if (cut.length > 0) {
    const places = cut.slice(0, 5).map(({ row, column, length }) => `${column} in row ${row + 1} (length ${length})`)
    content.push(`Cut, read them in parts with substr(): ${places.join(', ')}${cut.length > 5 ? ', …' : ''}`)
  }
  return content
}

function objectsText({ columns, rows }: Page): string {
  return rows.length === 0 ? '[]' : `[${rows.map(rowTexts(columns)).join(',\n')}]`
}

const arraysText = ({ columns, rows }: Page): string =>
  `{"columns":${JSON.stringify(columns)},"rows":[\n${rows.map((cells) => JSON.stringify(cells)).join(',\n')}]}`
