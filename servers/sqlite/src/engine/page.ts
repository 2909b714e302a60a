import type { Cell, CutCell, Page, PageLimits } from './protocol.ts'

/** A cell of a page is at most this long: characters of a text, bytes of a blob. */
const maxCellLength = 65_536

/** So many rows are written as objects, with the names of their columns in each. */
export const maxObjects = 100

/** The rows from `offset` on that fit into an answer. */
export function readPage(
  columns: string[],
  rows: Iterable<unknown[]>,
  { limit, maxBytes, offset = 0 }: PageLimits & { offset?: number },
): Page {
  const shown: Cell[][] = []
  const cut: CutCell[] = []
  // Even a row of nothing but long values has room.
  const most = Math.min(maxCellLength, Math.floor(maxBytes / Math.max(columns.length, 1) / 4))
  const nameBytes = sizeOf(columns)
  let bytes = 0
  let place = 0
  for (const row of rows) {
    if (place++ < offset) continue
    if (shown.length === limit) return { columns, rows: shown, cut, nextOffset: place - 1 }
    let size = sizeOf(row, most)
    if (size === Infinity) {
      cutRow(row, most, columns, shown.length, cut)
      size = sizeOf(row)
    }
    bytes += size + (shown.length < maxObjects ? nameBytes : 0)
    // The first row is shown whatever its size: else there would be no way past it.
    if (bytes > maxBytes && shown.length > 0) {
      return { columns, rows: shown, cut: cut.filter(({ row: at }) => at < shown.length), nextOffset: place - 1 }
    }
    for (let index = 0; index < row.length; index++) row[index] = cellOf(row[index])
    shown.push(row as Cell[])
  }
  return { columns, rows: shown, cut }
}

/** A value of the engine for JSON. */
export function cellOf(value: unknown): Cell {
  switch (typeof value) {
    case 'string':
      return value
    case 'bigint': {
      const number = Number(value)
      return Number.isSafeInteger(number) ? number : String(value)
    }
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    default:
      return value instanceof Uint8Array ? { base64: base64Of(value) } : null
  }
}

const base64Of = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('base64')

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 0

function cutRow(row: unknown[], most: number, columns: string[], place: number, cut: CutCell[]): void {
  row.forEach((value, index) => {
    const length = lengthOf(value)
    if (length <= most) return
    cut.push({ row: place, column: columns[index]!, length })
    row[index] = typeof value === 'string' ? value.slice(0, most) : (value as Uint8Array).subarray(0, most)
  })
}

/** Everything that takes more than one byte in JSON. */
const costly = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/

/** The bytes of a row in JSON; infinite if a value is longer than `most`. */
function sizeOf(row: readonly unknown[], most = Infinity): number {
  let size = 2
  for (const value of row) {
    if (typeof value === 'string') {
      if (value.length > most) return Infinity
      size += costly.test(value) ? Buffer.byteLength(JSON.stringify(value)) : value.length + 3
    } else if (value instanceof Uint8Array) {
      if (value.length > most) return Infinity
      size += value.length * 1.4 + 14
    } else size += 8
  }
  return size
}
