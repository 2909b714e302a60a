import { type PageTable, pageLimits } from './page-content.ts'
import { shortText } from './short-text.ts'

/** The tables that have data: those around other tables and those of one cell are there for layout. */
export function readTables(document: Document): PageTable[] {
  return Array.from(document.querySelectorAll('table'))
    .slice(0, pageLimits.tables * 4)
    .filter(isDataTable)
    .slice(0, pageLimits.tables)
    .map(readTable)
}

export const isDataTable = (table: Element): boolean =>
  !table.querySelector('table') && table.querySelectorAll('tr').length > 1 && !!table.querySelector('td')

/** A cell that spans columns is followed by empty ones. The header is the first row if it has only header cells. */
export function readTable(table: Element): PageTable {
  const all = Array.from(table.querySelectorAll('tr'))
  const rows = all.slice(0, pageLimits.rows + 1).map((row) => ({
    isHeader: !row.querySelector('td'),
    cells: cellsOf(row),
  }))
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  const padded = rows.map(({ cells }) => [...cells, ...Array<string>(width - cells.length).fill('')])
  const hasHeader = rows[0]?.isHeader === true
  return {
    caption: shortText(table.querySelector('caption')?.textContent),
    header: hasHeader ? padded[0]! : [],
    rows: hasHeader ? padded.slice(1) : padded.slice(0, pageLimits.rows),
    truncated: all.length > pageLimits.rows || width >= pageLimits.columns,
  }
}

function cellsOf(row: Element): string[] {
  return Array.from(row.children)
    .filter(({ tagName }) => tagName === 'TD' || tagName === 'TH')
    .slice(0, pageLimits.columns)
    .flatMap((cell) => {
      const span = Math.min(
        Math.max(Number.parseInt(cell.getAttribute('colspan') ?? '1', 10) || 1, 1),
        pageLimits.columns,
      )
      return [shortText(cell.textContent), ...Array<string>(span - 1).fill('')]
    })
    .slice(0, pageLimits.columns)
}
