import { constants as c } from '@photostructure/sqlite'

/** Actions that change the database. Those on temporary tables are not among them. */
const changes = new Set<number>([
  c.SQLITE_CREATE_INDEX,
  c.SQLITE_CREATE_TABLE,
  c.SQLITE_CREATE_TRIGGER,
  c.SQLITE_CREATE_VIEW,
  c.SQLITE_CREATE_VTABLE,
  c.SQLITE_DROP_INDEX,
  c.SQLITE_DROP_TABLE,
  c.SQLITE_DROP_TRIGGER,
  c.SQLITE_DROP_VIEW,
  c.SQLITE_DROP_VTABLE,
  c.SQLITE_INSERT,
  c.SQLITE_UPDATE,
  c.SQLITE_DELETE,
  c.SQLITE_ALTER_TABLE,
  c.SQLITE_REINDEX,
  c.SQLITE_ANALYZE,
])

export const isChange = (action: number): boolean => changes.has(action)

/** Functions that reach files or code. Builds of SQLite differ in which of them exist. */
const refusedFunctions = new Set([
  'load_extension',
  'fts3_tokenizer',
  'readfile',
  'writefile',
  'edit',
  'fsdir',
  'lsmode',
])

export const mayCall = (name: string): boolean => !refusedFunctions.has(name.toLowerCase())

const modules = new Set(['fts3', 'fts4', 'fts5', 'fts5vocab', 'fts4aux', 'rtree', 'rtree_i32', 'geopoly'])

export const mayUseModule = (name: string): boolean => modules.has(name.toLowerCase())

/** The argument of these names a table, an index or a number of errors. */
const describing = new Set([
  'table_info',
  'table_xinfo',
  'table_list',
  'index_list',
  'index_info',
  'index_xinfo',
  'foreign_key_list',
  'foreign_key_check',
  'integrity_check',
  'quick_check',
])

/** These read without an argument, and would set something with one. */
const properties = new Set([
  'application_id',
  'auto_vacuum',
  'cache_size',
  'collation_list',
  'compile_options',
  'data_version',
  'database_list',
  'encoding',
  'foreign_keys',
  'freelist_count',
  'function_list',
  'journal_mode',
  'max_page_count',
  'module_list',
  'page_count',
  'page_size',
  'pragma_list',
  'query_only',
  'recursive_triggers',
  'schema_version',
  'synchronous',
  'user_version',
])

export function isReadingPragma(given: string, value: string | null): boolean {
  const name = given.toLowerCase()
  return describing.has(name) || (value === null && properties.has(name))
}

/** Settings that stay in the file and endanger nothing. */
const settable: { readonly [name: string]: RegExp } = {
  application_id: /^-?\d+$/,
  user_version: /^-?\d+$/,
  journal_mode: /^(?:delete|truncate|persist|wal)$/i,
}
const runnable = new Set(['optimize', 'wal_checkpoint', 'incremental_vacuum'])

export function isWritingPragma(given: string, value: string | null): boolean {
  const name = given.toLowerCase()
  if (runnable.has(name)) return true
  return value !== null && Object.hasOwn(settable, name) && settable[name]!.test(value)
}
