import { constants } from '@photostructure/sqlite'
import { isChange, isReadingPragma, isWritingPragma, mayCall, mayUseModule } from './permissions.ts'

/** The statements that a call may run. `anything` is for statements of our own. */
export type Permission = 'read' | 'explain' | 'change' | 'create-table' | 'anything'

const c = constants

const rowChanges = new Set<number>([c.SQLITE_INSERT, c.SQLITE_UPDATE, c.SQLITE_DELETE])

/** Answers the engine, which asks before it compiles any part of a statement. The text of it is never looked at. */
export class Guard {
  #permission: Permission = 'anything'
  #isRunning = false
  /** Why the engine was told no. */
  refusal: string | undefined
  changes = false
  reads = false
  createsTable = false
  /** Rows of tables change, not only the schema. */
  changesRows = false

  /** The next statement is compiled under this permission. */
  begin(permission: Permission): void {
    this.#permission = permission
    this.#isRunning = false
    this.refusal = undefined
    this.changes = false
    this.reads = false
    this.createsTable = false
    this.changesRows = false
  }

  /** The statement runs from now on. */
  running(): void {
    this.#isRunning = true
  }

  /** Runs something of our own. */
  trusted<T>(run: () => T): T {
    const permission = this.#permission
    this.#permission = 'anything'
    try {
      return run()
    } finally {
      this.#permission = permission
    }
  }

  readonly authorize = (action: number, first: string | null, second: string | null): number => {
    if (this.#permission === 'anything') return c.SQLITE_OK
    this.#note(action, first)
    const refusal = this.#refusalOf(action, first, second)
    if (refusal === undefined) return c.SQLITE_OK
    this.refusal ??= refusal
    return c.SQLITE_DENY
  }

  #note(action: number, name: string | null): void {
    if (this.#isRunning) return
    if (isChange(action)) this.changes = true
    if (action === c.SQLITE_SELECT) this.reads = true
    if (action === c.SQLITE_CREATE_TABLE) this.createsTable = true
    if (rowChanges.has(action) && !name?.startsWith('sqlite_')) this.changesRows = true
  }

  #refusalOf(action: number, first: string | null, second: string | null): string | undefined {
    switch (action) {
      case c.SQLITE_SELECT:
      case c.SQLITE_READ:
      case c.SQLITE_RECURSIVE:
        return undefined
      case c.SQLITE_FUNCTION:
        return mayCall(second ?? '') ? undefined : `The function ${second} is not allowed.`
      case c.SQLITE_PRAGMA:
        return this.#refusalOfPragma(first ?? '', second)
      case c.SQLITE_ATTACH:
        // The engine itself attaches a nameless database while it vacuums. A file would have a name.
        if (this.#isRunning && first === '' && this.#permission === 'change') return undefined
        return 'Other files are out of reach: ATTACH and VACUUM INTO are not allowed.'
      case c.SQLITE_TRANSACTION:
      case c.SQLITE_SAVEPOINT:
        if (this.#isRunning && this.#permission === 'change') return undefined
        return 'Each call is a transaction of its own: BEGIN, COMMIT, ROLLBACK and SAVEPOINT are not allowed.'
      default:
        return this.#refusalOfChange(action, first, second)
    }
  }

  #refusalOfPragma(name: string, value: string | null): string | undefined {
    if (isReadingPragma(name, value)) return undefined
    if (this.#permission === 'change' && isWritingPragma(name, value)) {
      this.changes = true
      return undefined
    }
    return `PRAGMA ${name}${value === null ? '' : ' with a value'} is not allowed.`
  }

  #refusalOfChange(action: number, first: string | null, second: string | null): string | undefined {
    if (!isChange(action)) return 'Temporary tables, other databases and this kind of statement are not allowed.'
    if (action === c.SQLITE_CREATE_VTABLE && !mayUseModule(second ?? '')) {
      return `Virtual tables of ${second} are not allowed; use fts5, rtree or geopoly.`
    }
    switch (this.#permission) {
      case 'change':
      case 'explain':
        return undefined
      case 'create-table':
        return isPartOfCreation(action, first)
          ? undefined
          : 'This tool creates a table and does nothing else. Use write_query.'
      default:
        return 'This tool only reads. Use write_query for statements that change something.'
    }
  }
}

/** The engine keeps its schema in tables, too, and makes indexes for keys. */
function isPartOfCreation(action: number, name: string | null): boolean {
  if (action === c.SQLITE_CREATE_TABLE) return true
  if (action === c.SQLITE_INSERT || action === c.SQLITE_UPDATE)
    return /^sqlite_(?:master|schema|sequence)$/i.test(name ?? '')
  return action === c.SQLITE_CREATE_INDEX && name !== null && name.startsWith('sqlite_autoindex_')
}
