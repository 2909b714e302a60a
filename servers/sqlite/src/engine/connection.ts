import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import { bindings, refuseMissingParameters } from './bindings.ts'
import { Guard, type Permission } from './guard.ts'
import type { EngineOptions, Parameters } from './protocol.ts'
import { Refusal } from './refusal.ts'
import { hasSecondStatement, isBlankFrom } from './statement-text.ts'

const maxSqlBytes = 1_000_000
const busyTimeoutMs = 5_000

/** A statement that was compiled under a permission. */
export interface Prepared {
  readonly columns: string[]
  rows(): Iterable<unknown[]>
  run(): { changes: number | bigint; lastInsertRowid: number | bigint }
}

/** A connection whose statements pass the guard. */
export class Connection {
  readonly #db: InstanceType<typeof DatabaseSync>
  readonly guard: Guard = new Guard()

  constructor({ file, mode, foreignKeys, maxValueBytes }: EngineOptions) {
    this.#db = new DatabaseSync(file, {
      readOnly: mode === 'read',
      enableForeignKeyConstraints: foreignKeys,
      // As in the original, and in most builds: models write WHERE name = "Ada".
      enableDoubleQuotedStringLiterals: true,
      timeout: busyTimeoutMs,
      readBigInts: true,
      returnArrays: true,
      defensive: true,
      // Vacuuming needs one, the nameless database that the engine attaches itself.
      limits: { length: maxValueBytes, sqlLength: maxSqlBytes, attach: mode === 'read' ? 0 : 1, triggerDepth: 100 },
    })
    // A hostile file may have views and triggers. They get harmless functions only, and broken pages are noticed.
    this.#db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY')
    if (mode === 'read') this.#db.exec('PRAGMA query_only = ON')
    this.#db.setAuthorizer(this.guard.authorize)
  }

  /** Compiles the only statement of a text. */
  prepare(sql: string, permission: Permission, parameters?: Parameters): Prepared {
    if (sql.includes('\0')) throw new Refusal('query: a NUL character is not allowed; use char(0)')
    if (isBlankFrom(sql, 0)) throw new Refusal('query: expected an SQL statement, got none')
    this.guard.begin(permission)
    const statement = this.#db.prepare(sql)
    // Some statements act when they are compiled. So nothing is compiled with more rights than these.
    if (hasSecondStatement(sql, (text) => this.#isStatement(text))) {
      throw new Refusal('query: expected one statement, got several. Call once for each of them.')
    }
    if (permission !== 'explain') refuseMissingParameters(this.#db, sql, parameters)
    this.guard.refusal = undefined
    return this.#ready(statement, parameters)
  }

  /** Compiles a statement that runs many times. */
  repeated(sql: string): (values: unknown[]) => void {
    this.guard.begin('change')
    const statement = this.#db.prepare(sql)
    this.guard.running()
    return (values) => void statement.run(...(values as never[]))
  }

  /** Runs a statement of our own. */
  own(sql: string): void {
    this.guard.trusted(() => this.#db.exec(sql))
  }

  /** Takes a transaction back, unless the engine did it already: it does so when the disk is full. */
  rollback(): void {
    if (this.#db.isTransaction) this.own('ROLLBACK')
  }

  /** The answer of a statement of our own. */
  ask(sql: string, ...parameters: (string | number)[]): unknown[][] {
    return this.guard.trusted(() => this.#db.prepare(sql).all(...parameters) as unknown as unknown[][])
  }

  /** Merges the write-ahead log into the file, if there is one and nobody needs it. */
  checkpoint(): void {
    this.own('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    this.#db.close()
  }

  #ready(statement: StatementSyncInstance, parameters: Parameters | undefined): Prepared {
    const values = bindings(parameters)
    return {
      columns: distinct(statement.columns().map(({ name }) => name)),
      rows: () => {
        this.guard.running()
        return statement.iterate(...values) as Iterable<unknown[]>
      },
      run: () => {
        this.guard.running()
        return statement.run(...values)
      },
    }
  }

  #isStatement(text: string): boolean {
    try {
      this.#db.prepare(text)
      return true
    } catch {
      return false
    }
  }
}

/** A statement may give a column any name. */
const maxNameLength = 200

/** Two columns may have one name in SQL, but not in an object. */
function distinct(names: string[]): string[] {
  const taken = new Set<string>()
  return names.map((given) => {
    const name = given.slice(0, maxNameLength)
    let own = name
    for (let number = 1; taken.has(own); number++) own = `${name}:${number}`
    taken.add(own)
    return own
  })
}
