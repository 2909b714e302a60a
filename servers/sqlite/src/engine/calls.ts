import type { Connection, Prepared } from './connection.ts'
import { exportRows } from './export-rows.ts'
import { importRows } from './import-rows.ts'
import { cellOf, readPage } from './page.ts'
import type { Call, Calls, Kind, Result } from './protocol.ts'
import { Refusal } from './refusal.ts'

type Handlers = {
  [K in Kind]: (connection: Connection, call: Calls[K]['call'], progress: (rows: number) => void) => Result<K>
}

const handlers: Handlers = {
  read(connection, call) {
    const { columns, rows } = connection.prepare(call.sql, 'read', call.parameters)
    return readPage(columns, rows(), call)
  },
  explain(connection, { sql, bytecode, ...limits }) {
    // A statement that runs notices changes of the schema by other connections. One that is only explained does not.
    connection.ask('SELECT count(*) FROM sqlite_schema')
    const explaining = `EXPLAIN ${bytecode ? '' : 'QUERY PLAN '}${sql}`
    const { columns, rows } = connection.prepare(explaining, 'explain')
    return readPage(columns, rows(), limits)
  },
  write(connection, call) {
    const statement = connection.prepare(call.sql, call.may, call.parameters)
    const { changes, reads, createsTable, changesRows } = connection.guard
    if (call.may === 'create-table' && !createsTable) {
      throw new Refusal('query: expected CREATE TABLE. Use write_query for other changes, and read_query to read.')
    }
    if (reads && !changes) throw new Refusal('query: the statement changes nothing. Use read_query.')
    const before = totalChanges(connection)
    const page = runToEnd(statement, call)
    const [[affected, rowid]] = connection.ask('SELECT changes(), last_insert_rowid()') as [[bigint, bigint]]
    // The count is that of the last statement that changed rows, whichever it was.
    if (!changesRows || totalChanges(connection) === before) return { ...page, affectedRows: 0 }
    return { ...page, affectedRows: Number(affected), lastInsertRowid: cellOf(rowid) as number | string }
  },
  import: importRows,
  export: exportRows,
  recover(connection) {
    connection.ask('SELECT count(*) FROM sqlite_schema')
    connection.checkpoint()
    return {}
  },
}

/** Runs a call. */
export const runCall = (connection: Connection, call: Call, progress: (rows: number) => void): Result =>
  handlers[call.kind](connection, call as never, progress)

const totalChanges = (connection: Connection): unknown => connection.ask('SELECT total_changes()')[0]![0]

/** RETURNING has rows. All of them are stepped through, whatever the answer has room for: only then is the statement done. */
function runToEnd(statement: Prepared, limits: { limit: number; maxBytes: number }): Calls['read']['result'] {
  if (statement.columns.length === 0) {
    statement.run()
    return { columns: [], rows: [], cut: [] }
  }
  const rows = statement.rows()[Symbol.iterator]()
  const page = readPage(statement.columns, { [Symbol.iterator]: () => ({ next: () => rows.next() }) }, limits)
  while (!rows.next().done);
  return page
}
