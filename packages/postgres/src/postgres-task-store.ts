import { createHash } from 'node:crypto'
import { McpError, type TaskRecord, type TaskStore } from '@tenon/sdk/server'
import { Database, type DatabaseOptions } from './database.ts'
import { type TaskTable, taskTable } from './tables.ts'

export interface PostgresTaskStoreOptions extends DatabaseOptions {
  /** The table, which is made if it is missing. Default `tenon_tasks`. */
  table?: string
}

/** A task that nobody limits is kept this long. */
const longestMs = 365 * 86_400_000
/** The shape of the records, for programs of two versions that run side by side. */
const format = 1
/** How often records that are over are removed. */
const sweepMs = 60_000

interface Row {
  readonly format: number
  readonly record: string
}

/**
 * Tasks that any process answers for: a row each.
 *
 * @example
 * const server = createServer({ name: 'a', version: '1', tasks: { store: new PostgresTaskStore(process.env.DATABASE_URL!) } })
 */
export class PostgresTaskStore implements TaskStore, AsyncDisposable {
  readonly expires: boolean = true
  readonly #table: TaskTable
  readonly #database: Database
  #sweptAt = Number.NEGATIVE_INFINITY

  /** The address is `postgres://user:password@host:port/database`, with `?sslmode=verify-full` for TLS. */
  constructor(url: string, { table = 'tenon_tasks', ...options }: PostgresTaskStoreOptions = {}) {
    this.#table = taskTable(table)
    this.#database = new Database(url, { isThere: this.#table.isThere, create: this.#table.create }, options)
  }

  async create(record: TaskRecord): Promise<void> {
    await this.#sweep()
    const { rowCount } = await this.#database.query(this.#table.insert, [Date.now(), ...valuesOf(record)])
    if (rowCount === 0) throw new McpError('invalid_argument', 'There is a task with this id')
  }

  async get(owner: string, id: string): Promise<TaskRecord | undefined> {
    const [record] = await this.#read(this.#table.get, [Date.now(), keyOf(owner, id)])
    return record?.owner === owner && record.id === id ? record : undefined
  }

  async replace(record: TaskRecord): Promise<boolean> {
    const { rowCount } = await this.#database.query(this.#table.replace, [Date.now(), ...valuesOf(record)])
    return rowCount === 1
  }

  async delete(owner: string, id: string): Promise<void> {
    await this.#database.query(this.#table.remove, [keyOf(owner, id)])
  }

  list(owner?: string): Promise<TaskRecord[]> {
    if (owner === undefined) return this.#read(this.#table.select('all'), [Date.now()])
    return this.#read(this.#table.select('owner'), [Date.now(), hashOf(owner)])
  }

  working(): Promise<TaskRecord[]> {
    return this.#read(this.#table.select('working'), [Date.now()])
  }

  async count(owner?: string): Promise<number> {
    const values = owner === undefined ? [Date.now()] : [Date.now(), hashOf(owner)]
    const { rows } = await this.#database.query(this.#table.count(owner === undefined ? 'all' : 'owner'), values)
    return Number((rows[0] as { found: string }).found)
  }

  /** True if the database can be written to at the moment: for `health.ready`. */
  ready(): Promise<boolean> {
    return this.#database.ready()
  }

  /** Closes the connections, after the servers that use them. */
  close(): Promise<void> {
    return this.#database.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** A record that another version of the program keeps in another way is unknown here. */
  async #read(statement: string, values: readonly unknown[]): Promise<TaskRecord[]> {
    const { rows } = await this.#database.query(statement, values)
    return (rows as Row[]).filter((row) => row.format === format).map(({ record }) => JSON.parse(record) as TaskRecord)
  }

  async #sweep(): Promise<void> {
    const now = performance.now()
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    await this.#database.query(this.#table.removeOld, [Date.now()])
  }
}

function valuesOf(record: TaskRecord): unknown[] {
  const { owner, id, version, createdAt, ttlMs, status } = record
  const over = Math.ceil(createdAt + Math.min(ttlMs ?? longestMs, longestMs))
  return [keyOf(owner, id), hashOf(owner), format, version, status === 'working', over, JSON.stringify(record)]
}

/** Clients choose names of any length and with any characters, and PostgreSQL keeps no zeros in a text. */
const hashOf = (name: unknown): string => createHash('sha256').update(JSON.stringify(name)).digest('base64url')

const keyOf = (owner: string, id: string): string => hashOf([owner, id])
