import { bytes, integer, milliseconds, path, paths, type Setting, toggle } from '@tenon/server-kit'

/** The settings of the operator. */
export interface SqliteSettings {
  /** The database file. */
  readonly dbPath?: string | undefined
  /** Folders for import and export; the roots of the client if there are none. */
  readonly folder: readonly string[]
  /** Most rows of one answer. */
  readonly maxRows: number
  /** Bytes of the rows of one answer. */
  readonly maxResult: number
  /** Bytes of one value, also inside of a query. */
  readonly maxValue: number
  /** Bytes of a file that is imported or exported. */
  readonly maxFile: number
  /** Memory of a process of the engine. */
  readonly maxMemory: number
  /** Milliseconds of one statement. */
  readonly timeout: number
  /** Queries that run at once. */
  readonly parallel: number
  readonly foreignKeys: boolean
}

export const defaultSqliteSettings: SqliteSettings = {
  folder: [],
  maxRows: 10_000,
  maxResult: 2_000_000,
  maxValue: 64_000_000,
  maxFile: 100_000_000,
  maxMemory: 512_000_000,
  timeout: 30_000,
  parallel: 4,
  foreignKeys: false,
}

const defaults = defaultSqliteSettings

/** The settings on the command line. */
export const settings: { readonly [K in keyof SqliteSettings]-?: Setting<SqliteSettings[K]> } = {
  dbPath: path('The database file, created if it is not there (default: sqlite_mcp_server.db in the working folder)', {
    placeholder: 'FILE',
  }),
  folder: paths('Folder for import and export (repeatable; default: the roots of the client)', {
    placeholder: 'FOLDER',
  }),
  timeout: milliseconds('Longest run of a statement', { default: defaults.timeout }),
  maxRows: integer('Most rows of one answer', { min: 1, max: 100_000, default: defaults.maxRows }),
  maxResult: bytes('Rows of one answer; the rest is on further pages', { default: defaults.maxResult }),
  maxValue: bytes('Longest text or blob, also inside of a query', { default: defaults.maxValue }),
  maxFile: bytes('Longest file for import and export', { default: defaults.maxFile }),
  maxMemory: bytes('Memory of the process that runs a statement', { default: defaults.maxMemory }),
  parallel: integer('Queries that run at once', { min: 1, max: 64, default: defaults.parallel }),
  foreignKeys: toggle('Enforce foreign keys'),
}
