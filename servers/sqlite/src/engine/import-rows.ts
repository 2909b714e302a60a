import { closeSync, readSync } from 'node:fs'
import { openAllowed } from './allowed-file.ts'
import type { Connection } from './connection.ts'
import type { Calls } from './protocol.ts'
import { Refusal } from './refusal.ts'
import { type ImportRecord, parseRecords } from './tabular.ts'

type ImportCall = Calls['import']['call']

/** Columns of a new table are typed by so many records. */
const sampleSize = 1_000
const progressStep = 10_000
const chunkBytes = 262_144

/** Adds records to a table, all of them or none. */
export function importRows(
  connection: Connection,
  call: ImportCall,
  progress: (rows: number) => void,
): Calls['import']['result'] {
  const source = call.file === undefined ? [call.text ?? ''] : readPieces(call.file)
  const records = parseRecords(source, call.format, call.emptyAsNull)[Symbol.iterator]()
  connection.own('BEGIN IMMEDIATE')
  try {
    const sample = take(records, sampleSize)
    const { columns, created } = tableFor(connection, call, sample)
    const rows = insertAll(connection, call.table, columns, sample, records, progress)
    connection.own('COMMIT')
    return { rows, columns, created }
  } catch (error) {
    connection.rollback()
    throw error
  }
}

function tableFor(
  connection: Connection,
  { table, create }: ImportCall,
  sample: ImportRecord[],
): { columns: string[]; created: boolean } {
  const given = [...new Set(sample.flatMap((record) => [...record.keys()]))]
  if (given.length === 0) throw new Refusal('There are no records to import.')
  const existing = connection.ask('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0', table).flat() as string[]
  if (existing.length > 0) return { columns: knownColumns(table, given, existing), created: false }
  if (!create) throw new Refusal(`table: there is no table ${table}. Create it first, or import with create: true.`)
  const definitions = given.map((name) => `${quoted(name)} ${typeOf(sample, name)}`)
  connection.prepare(`CREATE TABLE ${quoted(table)} (${definitions.join(', ')})`, 'create-table').run()
  return { columns: given, created: true }
}

function knownColumns(table: string, given: string[], existing: string[]): string[] {
  const known = new Set(existing.map((name) => name.toLowerCase()))
  const unknown = given.filter((name) => !known.has(name.toLowerCase()))
  if (unknown.length === 0) return given
  throw new Refusal(`${table} has no column ${unknown.join(', ')}; it has ${existing.join(', ')}`)
}

const whole = /^(?:0|-?[1-9]\d{0,17})$/
const decimal = /^(?=.{1,17}$)-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/

/**
 * The type that fits all values of the sample. Numbers with leading zeros are names, not amounts. A column with texts
 * and numbers has no type, so that both stay as they are.
 */
function typeOf(sample: ImportRecord[], column: string): 'INTEGER' | 'REAL' | 'TEXT' | '' {
  const values = sample.map((record) => record.get(column) ?? null).filter((value) => value !== null)
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length > 0 && texts.length < values.length) return ''
  if (values.length > 0 && values.every((value) => typeof value === 'bigint' || whole.test(String(value))))
    return 'INTEGER'
  if (values.length > 0 && texts.every((value) => decimal.test(value))) return 'REAL'
  return 'TEXT'
}

function insertAll(
  connection: Connection,
  table: string,
  columns: string[],
  sample: ImportRecord[],
  rest: Iterator<ImportRecord>,
  progress: (rows: number) => void,
): number {
  const places = columns.map(() => '?').join(', ')
  const insert = connection.repeated(
    `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${places})`,
  )
  const known = new Set(columns)
  let count = 0
  for (const record of chain(sample, rest)) {
    for (const name of record.keys()) {
      if (!known.has(name)) throw new Refusal(`record ${count + 1}: no earlier record has the column ${name}`)
    }
    insert(columns.map((name) => record.get(name) ?? null))
    if (++count % progressStep === 0) progress(count)
  }
  return count
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

function take<T>(iterator: Iterator<T>, most: number): T[] {
  const taken: T[] = []
  while (taken.length < most) {
    const { value, done } = iterator.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

function* chain<T>(first: T[], rest: Iterator<T>): Generator<T> {
  yield* first
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}

function* readPieces(file: NonNullable<ImportCall['file']>): Generator<string> {
  const { descriptor } = openAllowed(file)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const buffer = Buffer.allocUnsafe(chunkBytes)
    let left = file.maxBytes
    for (let read = -1; read !== 0; ) {
      read = readSync(descriptor, buffer, 0, chunkBytes, null)
      // A file that grows while it is read is bounded, too.
      left -= read
      if (left < 0) throw new Refusal(`file: more than ${file.maxBytes} bytes (--max-file)`)
      yield decoded(decoder, buffer.subarray(0, read), read > 0)
    }
  } finally {
    closeSync(descriptor)
  }
}

function decoded(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream })
  } catch {
    throw new Refusal('file: expected text in UTF-8')
  }
}
