import { csvLine, parseCsv } from './csv.ts'
import type { Cell, Format } from './protocol.ts'
import { Refusal } from './refusal.ts'

/** A record to import: a value per column. */
export type ImportRecord = ReadonlyMap<string, string | number | bigint | null>

/** Reads records in any format. */
export function* parseRecords(pieces: Iterable<string>, format: Format, emptyAsNull: boolean): Generator<ImportRecord> {
  if (format === 'csv') yield* csvRecords(withoutMark(pieces), emptyAsNull)
  else yield* objectsIn([...withoutMark(pieces)].join(''), format)
}

function* csvRecords(pieces: Iterable<string>, emptyAsNull: boolean): Generator<ImportRecord> {
  let header: string[] | undefined
  let line = 0
  for (const fields of parseCsv(pieces)) {
    line++
    if (header === undefined) {
      header = checkedHeader(fields)
      continue
    }
    if (fields.length > header.length) {
      throw new Refusal(`csv: record ${line} has ${fields.length} fields, and the header ${header.length}`)
    }
    yield new Map(header.map((name, index) => [name, csvValue(fields[index] ?? '', emptyAsNull)]))
  }
  if (header === undefined) throw new Refusal('csv: expected a header line with the names of columns')
}

const csvValue = (field: string, emptyAsNull: boolean): string | null => (field === '' && emptyAsNull ? null : field)

function checkedHeader(fields: string[]): string[] {
  const names = fields.map((field) => field.trim())
  const empty = names.indexOf('')
  if (empty >= 0) throw new Refusal(`csv: column ${empty + 1} of the header has no name`)
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw new Refusal('csv: the header has a name twice')
  }
  return names
}

function* objectsIn(text: string, format: 'json' | 'jsonl'): Generator<ImportRecord> {
  const values = format === 'json' ? parsed(text, 'json') : linesIn(text)
  if (format === 'json' && !Array.isArray(values)) throw new Refusal('json: expected an array of objects')
  let place = 0
  for (const value of values as Iterable<unknown>) {
    place++
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw new Refusal(`${format}: record ${place} is not an object`)
    }
    yield new Map(Object.entries(value).map(([name, member]) => [name, columnValue(member)]))
  }
}

function* linesIn(text: string): Generator<unknown> {
  let place = 0
  for (const line of text.split('\n')) {
    place++
    if (line.trim() !== '') yield parsed(line, `jsonl: line ${place}`)
  }
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal(`${place}: ${(error as Error).message}`)
  }
}

/** Nested values are kept as JSON, which the functions of the engine read. */
function columnValue(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'boolean') return value ? 1n : 0n
  return JSON.stringify(value)
}

function* withoutMark(pieces: Iterable<string>): Generator<string> {
  let isFirst = true
  for (const piece of pieces) {
    yield isFirst ? piece.replace(/^\uFEFF/, '') : piece
    isFirst = false
  }
}

/** Writes rows in any format, a piece per row. */
export function* formatRows(columns: string[], rows: Iterable<Cell[]>, format: Format): Generator<string> {
  if (format === 'csv') yield csvLine(columns)
  if (format === 'json') yield '['
  let isFirst = true
  const rowText = rowTexts(columns)
  for (const cells of rows) {
    if (format === 'csv') yield csvLine(cells.map(csvField))
    else yield `${format === 'json' ? (isFirst ? '\n' : ',\n') : ''}${rowText(cells)}${format === 'jsonl' ? '\n' : ''}`
    isFirst = false
  }
  if (format === 'json') yield '\n]\n'
}

const csvField = (cell: Cell): string | null =>
  cell === null ? null : typeof cell === 'object' ? cell.base64 : String(cell)

/** Rows as objects in JSON. Names are written once, and numbers without a detour. */
export function rowTexts(columns: readonly string[]): (cells: readonly Cell[]) => string {
  const names = columns.map((name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  return (cells) => {
    let text = ''
    for (let index = 0; index < names.length; index++) {
      const cell = cells[index]
      text += names[index]! + (typeof cell === 'number' ? cell : JSON.stringify(cell))
    }
    return `${text}}`
  }
}
