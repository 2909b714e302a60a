import pg from 'pg'

/** The role that reads for a superuser. PostgreSQL has it since version 14: it reads all tables, and nothing else. */
export const readerRole = 'pg_read_all_data'

/** Bytes of temporary files of a query in an embedded database; elsewhere this is the setting of an administrator. */
const maxTemporary = '1GB'
/** A transaction whose client is lost ends by itself. */
const idleMs = 60_000

export interface Transaction {
  /** `preview` is a write that is not committed. */
  readonly mode: 'read' | 'preview' | 'write'
  readonly role: string | undefined
}

export interface TransactionOptions extends Transaction {
  readonly schemas: readonly string[]
  readonly timeoutMs: number
  readonly isEmbedded: boolean
}

/** The statements before that of the caller. None of them contains text of the caller, but the quoted role. */
export function transactionStart({ mode, role, schemas, timeoutMs, isEmbedded }: TransactionOptions): string {
  return [
    `BEGIN TRANSACTION ${mode === 'read' ? 'READ ONLY' : 'READ WRITE'}`,
    `SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`,
    "SET LOCAL datestyle = 'ISO, YMD'",
    "SET LOCAL bytea_output = 'hex'",
    ...(schemas.length === 0 ? [] : [`SET LOCAL search_path = ${schemas.map(pg.escapeIdentifier).join(', ')}`]),
    ...(isEmbedded ? [`SET LOCAL temp_file_limit = '${maxTemporary}'`] : []),
    ...(role === undefined ? [] : [`SET LOCAL ROLE ${pg.escapeIdentifier(role)}`]),
  ].join('; ')
}
