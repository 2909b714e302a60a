import type { Column, StatementResult } from './database/statement.ts'
import { type Json, readRow, typeNameOf } from './database/values.ts'

/** A page of rows as data. */
export interface RowPage {
  columns: { name: string; type: string }[]
  rows: Json[][]
  row_count: number
  next_offset?: number
}

export function rowPage({ columns, rows, hasMore }: StatementResult, offset: number): RowPage {
  return {
    columns: columns.map(({ name, typeId }) => ({ name, type: typeNameOf(typeId) })),
    rows: rows.map((row) => readRow(row, columns)),
    row_count: rows.length,
    ...(hasMore && { next_offset: offset + rows.length }),
  }
}

/** The rows as a list of objects in JSON, one per line. */
export function rowsText(columns: readonly Pick<Column, 'name'>[], rows: readonly Json[][]): string {
  if (rows.length === 0) return '[]'
  const names = uniqueNames(columns)
  return `[\n${rows.map((row) => `  ${JSON.stringify(rowObject(names, row))}`).join(',\n')}\n]`
}

function rowObject(names: readonly string[], row: readonly Json[]): { [name: string]: Json } {
  const object: { [name: string]: Json } = {}
  for (let index = 0; index < names.length; index++) {
    // Assigning this one would set the prototype.
    if (names[index] === '__proto__')
      Object.defineProperty(object, '__proto__', { value: row[index], enumerable: true })
    else object[names[index]!] = row[index]!
  }
  return object
}

/** A name that is there again gets a number: an object has room for each name once. */
function uniqueNames(columns: readonly Pick<Column, 'name'>[]): string[] {
  const seen = new Map<string, number>()
  return columns.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

/** Rows as objects, for queries of our own whose columns have different names. */
export const rowObjects = ({ columns, rows }: StatementResult): { [name: string]: Json }[] => {
  const names = columns.map(({ name }) => name)
  return rows.map((row) => rowObject(names, readRow(row, columns)))
}
