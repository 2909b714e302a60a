/** A database of PostgreSQL: a pool of `pg`, or a PGlite. */
export interface SqlDatabase {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** Opens a database: `postgres://…`, or the folder of a PGlite as `pglite:FOLDER`. */
export async function openSqlDatabase(url: string): Promise<{ database: SqlDatabase; close(): Promise<void> }> {
  if (url.startsWith('pglite:')) {
    const { PGlite } = await import('@electric-sql/pglite')
    const database = await PGlite.create(url.slice('pglite:'.length))
    return { database, close: () => database.close() }
  }
  const { default: pg } = await import('pg')
  const database = new pg.Pool({ connectionString: url, max: 4 })
  // A connection that breaks while it is idle is replaced; without a listener it would end the process.
  database.on('error', () => {})
  return { database, close: () => database.end() }
}
