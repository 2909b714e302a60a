import { type LiveSettings, Misuse } from '@tenon/server-kit'
import type pg from 'pg'
import type { PostgresSettings } from '../settings.ts'
import { type Address, baseUriOf } from './address.ts'
import { type Connections, openConnections } from './connections.ts'
import { Refusal, toRefusal } from './errors.ts'
import { lockFolder } from './folder-lock.ts'
import { maskSecrets } from './mask.ts'
import { Statement, type StatementOptions, type StatementResult } from './statement.ts'
import { readerRole, type Transaction, transactionStart } from './transaction.ts'
import { wireOf } from './wire.ts'

/** The messages of a server that are not rows fit in this, however few bytes a result may have. */
const minMessage = 1_000_000
/** A connection that cannot be cleaned in this time is closed. */
const leavePatienceMs = 10_000

export interface Run extends StatementOptions, Omit<Transaction, 'role'> {
  readonly role?: string | undefined
  readonly signal: AbortSignal
  /** Characters of our own before the text of the caller. */
  readonly prefix?: number
  /** Looks at the result before it is committed; a text refuses it. */
  readonly refuse?: (result: StatementResult) => string | undefined
}

/** A database: one statement per call, each in a transaction of its own that leaves nothing behind in the session. */
export class Database {
  readonly baseUri: string
  readonly settings: LiveSettings<PostgresSettings>
  readonly #address: Address
  readonly #connections: Connections
  readonly #unlock: () => void
  /** The role that reads for a superuser, if the server has it. */
  #reader: string | undefined

  constructor(address: Address, settings: LiveSettings<PostgresSettings>) {
    this.settings = settings
    this.baseUri = baseUriOf(address)
    this.#address = address
    this.#unlock = address.kind === 'folder' ? lockFolder(address.folder) : () => {}
    const maxMessage = (): number => Math.max(minMessage, settings.current.maxResult)
    this.#connections = openConnections(address, settings.current.connections, maxMessage)
  }

  /** Connects once, so that a wrong address or login is told at the start. */
  async check(): Promise<void> {
    const login = await this.#readLogin()
    if (login.is_superuser && login.has_reader) this.#reader = readerRole
    if (!login.is_privileged || this.#address.kind === 'folder' || this.settings.current.allowSuperuser) return
    throw new Misuse(superuserRefusal)
  }

  async #readLogin(): Promise<Login> {
    try {
      const client = await this.#connections.pool.connect()
      const { rows } = await client.query(loginQuery).finally(() => client.release())
      return rows[0] as Login
    } catch (error) {
      throw new Misuse(`cannot open the database: ${this.mask(toRefusal(error as Error).message)}`)
    }
  }

  /** Runs one statement. Everything that goes wrong is a `Refusal` with a text for the caller. */
  async run(run: Run): Promise<StatementResult> {
    run.signal.throwIfAborted()
    const client = (await this.#connections.pool.connect().catch((error) => this.#refuse(error))) as pg.PoolClient
    const work = new Work(client as unknown as pg.Client, this.#connections)
    try {
      return await work.within(this.settings.current.timeout, run.signal, async () => {
        await client.query(this.#start(run))
        const statement = new Statement(run)
        client.query(statement)
        const result = await statement.done
        if (run.mode === 'write') await commit(client, run.refuse?.(result))
        return result
      })
    } catch (error) {
      return this.#refuse(error as Error, work.stopped, run.prefix)
    } finally {
      // The answer does not wait for this.
      void leave(client, work.stopped !== undefined)
    }
  }

  /** Hides the password of the address. */
  mask(text: string): string {
    return maskSecrets(text, this.#address.secrets)
  }

  async close(): Promise<void> {
    await this.#connections.pool.end()
    this.#unlock()
  }

  #start(run: Run): string {
    const { role: roles, schema, timeout } = this.settings.current
    if (run.role !== undefined && !roles.includes(run.role)) {
      const known = roles.length === 0 ? 'The server was started without --role.' : `There are ${roles.join(', ')}.`
      throw new Refusal(`The role ${JSON.stringify(run.role)} is not offered. ${known}`)
    }
    const fallback = run.mode === 'read' ? this.#reader : undefined
    return transactionStart({
      mode: run.mode,
      role: run.role ?? roles[0] ?? fallback,
      schemas: schema,
      timeoutMs: timeout,
      isEmbedded: this.#address.kind === 'folder',
    })
  }

  #refuse(error: Error, stopped?: 'timeout' | 'cancelled', prefix = 0): never {
    if (stopped === 'cancelled') throw new Refusal('The call was cancelled.', { cause: error })
    const { timeout, maxResult, write } = this.settings.current
    const limits = { timeoutMs: timeout, maxBytes: Math.max(minMessage, maxResult), canWrite: write !== 'off', prefix }
    const refusal = toRefusal(error, { ...limits, isTimeout: stopped === 'timeout' })
    throw new Refusal(this.mask(refusal.message), { cause: error })
  }
}

/** The work on a connection, with a time limit for all of it. */
class Work {
  stopped: 'timeout' | 'cancelled' | undefined
  readonly #client: pg.Client
  readonly #connections: Connections

  constructor(client: pg.Client, connections: Connections) {
    this.#client = client
    this.#connections = connections
  }

  async within<T>(timeoutMs: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const cancel = (): void => this.#stop('cancelled')
    const timer = setTimeout(() => this.#stop('timeout'), timeoutMs)
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    }
  }

  #stop(reason: 'timeout' | 'cancelled'): void {
    if (this.stopped !== undefined) return
    this.stopped = reason
    void this.#connections.interrupt(this.#client)
  }
}

async function commit(client: pg.PoolClient, refused: string | undefined): Promise<void> {
  if (refused !== undefined) throw new Refusal(refused)
  const { command } = await client.query('COMMIT')
  if (command !== 'COMMIT') throw new Refusal('The change could not be committed. Nothing was changed.')
}

/**
 * Gives a connection back with nothing of its caller left: settings, locks, prepared statements. A request to cancel may
 * still be on its way to one that was stopped, so that one is closed.
 */
async function leave(client: pg.PoolClient, isStopped: boolean): Promise<void> {
  if (isStopped) return client.release(true)
  const timer = setTimeout(() => wireOf(client as unknown as pg.Client).stream.destroy(), leavePatienceMs)
  try {
    await client.query('ROLLBACK')
    await client.query('DISCARD ALL')
    client.release()
  } catch {
    client.release(true)
  } finally {
    clearTimeout(timer)
  }
}

interface Login {
  readonly is_superuser: boolean
  /** It may use files or programs of the database server. */
  readonly is_privileged: boolean
  readonly has_reader: boolean
}

const loginQuery = `
  SELECT rolsuper AS is_superuser,
    EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '${readerRole}') AS has_reader,
    rolsuper OR EXISTS (
      SELECT FROM pg_catalog.pg_roles g
      WHERE g.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
        AND pg_catalog.pg_has_role(session_user, g.oid, 'member')) AS is_privileged
  FROM pg_catalog.pg_roles WHERE rolname = session_user`

const superuserRefusal =
  'the login is a superuser, or may use files and programs of the database server: a query could use them, even in a ' +
  "read-only transaction. Make another login (CREATE ROLE reader LOGIN PASSWORD '...' IN ROLE pg_read_all_data), or accept it with --allow-superuser"
