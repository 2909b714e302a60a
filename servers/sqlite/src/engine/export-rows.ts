import { closeSync, writeSync } from 'node:fs'
import { createAllowed } from './allowed-file.ts'
import type { Connection } from './connection.ts'
import { cellOf } from './page.ts'
import type { Calls } from './protocol.ts'
import { Refusal } from './refusal.ts'
import { formatRows } from './tabular.ts'

const progressStep = 10_000
const pieceLength = 65_536

/** Writes all rows of a query to a new file. An incomplete file is removed. */
export function exportRows(
  connection: Connection,
  { sql, parameters, format, file }: Calls['export']['call'],
  progress: (rows: number) => void,
): Calls['export']['result'] {
  const { columns, rows } = connection.prepare(sql, 'read', parameters)
  const { descriptor, remove } = createAllowed(file)
  let count = 0
  const cells = function* () {
    for (const row of rows()) {
      yield row.map(cellOf)
      if (++count % progressStep === 0) progress(count)
    }
  }
  try {
    const bytes = writeAll(descriptor, formatRows(columns, cells(), format), file.maxBytes)
    return { rows: count, bytes }
  } catch (error) {
    remove()
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function writeAll(descriptor: number, pieces: Iterable<string>, maxBytes: number): number {
  let bytes = 0
  let waiting = ''
  const flush = (): void => {
    bytes += writeWhole(descriptor, Buffer.from(waiting))
    waiting = ''
    if (bytes > maxBytes)
      throw new Refusal(`file: the rows have more than ${maxBytes} bytes (--max-file). Export fewer.`)
  }
  for (const piece of pieces) {
    waiting += piece
    if (waiting.length >= pieceLength) flush()
  }
  flush()
  return bytes
}

/** A nearly full disk takes a part of it. */
function writeWhole(descriptor: number, bytes: Uint8Array): number {
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  return written
}
