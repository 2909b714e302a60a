import type { CommonSettings } from '@tenon/server-kit'

/** The settings of the operator. All but `database` and `connections` are read at every call. */
export interface PostgresSettings extends Pick<CommonSettings, 'readOnly' | 'confirm'> {
  /** `postgres://…`, or the folder of an embedded database; in the user's data folder if left out. */
  readonly database: string | undefined
  /** Roles that calls may run as; the first is the default. */
  readonly role: readonly string[]
  /** Schemas to show and to search for unqualified names. Empty: all that are not of the system. */
  readonly schema: readonly string[]
  /** Whether `execute` exists, and whether it asks the user. */
  readonly write: 'off' | 'ask' | 'allow'
  readonly maxRows: number
  /** Bytes of rows per result. */
  readonly maxResult: number
  /** Milliseconds per statement. */
  readonly timeout: number
  readonly connections: number
  readonly allowSuperuser: boolean
}

export const defaultSettings: PostgresSettings = {
  database: undefined,
  role: [],
  schema: [],
  write: 'off',
  maxRows: 1_000,
  maxResult: 1_000_000,
  timeout: 30_000,
  connections: 4,
  allowSuperuser: false,
  readOnly: false,
  confirm: false,
}
