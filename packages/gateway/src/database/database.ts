import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { fileLock } from '@tenon/sdk/auth'
import { McpError } from '@tenon/sdk/client'
import pg from 'pg'
import { KeyedLocks } from './keyed-locks.ts'
import { OpenOnce } from './open-once.ts'

/** The part of a PostgreSQL database that a table needs: a pool of `pg` and a PGlite have it too. */
export interface SqlDatabase {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** A PostgreSQL database: a server, or one in a folder of this process. Both get the same SQL. */
export interface Database extends SqlDatabase {
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
  /** Runs one holder of a key at a time, in all processes that use the database. */
  hold<T>(key: string, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Another gateway that ends at this moment leaves the folder in this time. */
const folderPatienceMs = 10_000
const connectTimeoutMs = 10_000

/** One folder is opened once in a process, whoever needs it: a vault, a log, pins. */
const folders = new OpenOnce<Database>()

/** Opens `postgres://…`, or a folder for anything else, also as `pglite:FOLDER`. An error tells the address without its password. */
export async function openDatabase(address: string): Promise<Database> {
  if (/^postgres(ql)?:\/\//i.test(address)) return openServer(address)
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address)) {
    const scheme = address.split(':')[0]
    throw new McpError(
      'invalid_argument',
      `database: expected postgres://USER@HOST/NAME or a folder, got ${scheme}://…`,
    )
  }
  const folder = resolve(address.replace(/^pglite:/i, ''))
  const { store, close } = await folders.use(folder, () => openFolder(folder))
  return { ...store, close }
}

async function openServer(url: string): Promise<Database> {
  const options = { connectionString: url, connectionTimeoutMillis: connectTimeoutMs, keepAlive: true }
  const pool = new pg.Pool({ ...options, max: 8 })
  // A holder needs a second connection for its work, which other holders must not be able to take.
  const holders = new pg.Pool({ ...options, max: 4 })
  for (const each of [pool, holders]) each.on('error', () => {})
  const database: Database = {
    query: (text, values) => pool.query(text, values) as Promise<pg.QueryResult>,
    hold: async (key, work) => {
      const client = await holders.connect()
      try {
        await client.query('BEGIN')
        await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
        return await work()
      } finally {
        const ended = await client.query('ROLLBACK').then(
          () => undefined,
          (error: Error) => error,
        )
        client.release(ended)
      }
    },
    close: async () => {
      await Promise.all([pool, holders].map((each) => (each.ending ? undefined : each.end())))
    },
  }
  try {
    await database.query('SELECT 1')
    return database
  } catch (error) {
    await database.close()
    throw new McpError('unavailable', `database: cannot be opened (${(error as { code?: string }).code ?? 'no code'})`)
  }
}

/** Two processes would destroy the folder, so one holds it for as long as it is open. */
async function openFolder(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await lockFolder(folder)
  try {
    const embedded = await PGlite.create(folder)
    const locks = new KeyedLocks()
    return {
      query: (text, values) => embedded.query(text, values),
      hold: (key, work) => locks.hold(key, work),
      close: async () => {
        await embedded.close()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

async function lockFolder(folder: string): Promise<() => Promise<void>> {
  let release!: () => void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let held!: Promise<void>
  const taken = new Promise<void>((resolve, reject) => {
    const work = (): Promise<void> => {
      resolve()
      return released
    }
    held = fileLock(`${folder}.lock`).hold('database', work, AbortSignal.timeout(folderPatienceMs))
    held.catch(() => reject(new McpError('unavailable', `database: another process uses ${folder}`)))
  })
  await taken
  return () => {
    release()
    return held
  }
}
