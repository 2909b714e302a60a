import type { CallContext, Database } from './database.ts'
import type { Cell, Page, Parameters } from './engine/protocol.ts'

export interface TableInfo {
  name: string
  type: string
}

export interface ColumnInfo {
  cid: number
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
}

export interface TableDescription {
  name: string
  type: string
  sql: string | null
  columns: ColumnInfo[]
  indexes: { name: string; unique: boolean; origin: string; columns: string[] }[]
  foreign_keys: { from: string; table: string; to: string | null; on_update: string; on_delete: string }[]
}

const maxTables = 10_000
const maxPages = 10

// The tables that virtual tables and the engine itself keep their data in are of no use to a reader.
const shownTables = `pragma_table_list l
  LEFT JOIN sqlite_schema s ON s.name = l.name AND s.type IN ('table', 'view')
  WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`

/** Reads the schema of a database. */
export class Schema {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async version(ctx: CallContext): Promise<number> {
    const [[version]] = (await this.#ask('PRAGMA schema_version', [], ctx)) as [[number]]
    return version
  }

  /** Tables and views by name. */
  async tables(ctx: CallContext): Promise<TableInfo[]> {
    const found: TableInfo[] = []
    for (let page = 0, offset: number | undefined = 0; page < maxPages && offset !== undefined; page++) {
      const next = await this.#page(`SELECT l.name, l.type FROM ${shownTables} ORDER BY l.name`, [], ctx, offset)
      found.push(...next.rows.map(([name, type]) => ({ name, type }) as TableInfo))
      offset = next.nextOffset
    }
    return found
  }

  /** The statements that made tables, views, indexes and triggers, as far as they fit into an answer. */
  async statements(ctx: CallContext): Promise<{ statements: string[]; more: boolean }> {
    const { rows, nextOffset } = await this.#page(
      `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name IN (SELECT l.name FROM ${shownTables})
       ORDER BY tbl_name, type <> 'table', name`,
      [],
      ctx,
    )
    return { statements: rows.map(([sql]) => String(sql)), more: nextOffset !== undefined }
  }

  async describe(name: string, ctx: CallContext): Promise<TableDescription | undefined> {
    const [found] = await this.#ask(
      `SELECT l.name, l.type, s.sql FROM pragma_table_list l LEFT JOIN sqlite_schema s ON s.name = l.name AND s.type IN ('table', 'view')
       WHERE l.schema = 'main' AND l.name = ? COLLATE NOCASE`,
      [name],
      ctx,
    )
    if (found === undefined) return undefined
    const columns = await this.#ask(
      'SELECT cid, name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?)',
      [name],
      ctx,
    )
    const indexes = await this.#ask(
      `SELECT l.name, l."unique", l.origin, (SELECT json_group_array(i.name ORDER BY i.seqno) FROM pragma_index_info(l.name) i)
       FROM pragma_index_list(?) l ORDER BY l.name`,
      [name],
      ctx,
    )
    const keys = await this.#ask(
      'SELECT "from", "table", "to", on_update, on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq',
      [name],
      ctx,
    )
    return {
      name: found[0] as string,
      type: found[1] as string,
      sql: found[2] as string | null,
      columns: columns.map(([cid, column, type, notnull, dflt_value, pk]) => {
        return { cid, name: column, type, notnull, dflt_value, pk } as ColumnInfo
      }),
      indexes: indexes.map(([index, unique, origin, of]) => ({
        name: String(index),
        unique: unique === 1,
        origin: String(origin),
        columns: (JSON.parse(String(of)) as (string | null)[]).map((column) => column ?? '(expression)'),
      })),
      foreign_keys: keys.map(([from, table, to, on_update, on_delete]) => {
        return { from, table, to, on_update, on_delete } as TableDescription['foreign_keys'][number]
      }),
    }
  }

  async #ask(sql: string, parameters: Parameters, ctx: CallContext): Promise<Cell[][]> {
    return (await this.#page(sql, parameters, ctx)).rows
  }

  #page(sql: string, parameters: Parameters, ctx: CallContext, offset = 0): Promise<Page> {
    const { maxResult: maxBytes } = this.#database.settings
    return this.#database.read({ kind: 'read', sql, parameters, offset, limit: maxTables, maxBytes }, ctx)
  }
}
