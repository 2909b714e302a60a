import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { Address } from './address.ts'
import { sendCancelRequest } from './cancel-request.ts'
import { EmbeddedStream } from './embedded-stream.ts'
import { guardFrames } from './frame-guard.ts'
import { backendKeyOf, wireOf } from './wire.ts'

/** A server that does not answer a request to cancel is left after this time. */
const cancelPatienceMs = 3_000
const connectTimeoutMs = 10_000
/** The first start of an embedded database writes its files, which takes seconds. */
const embeddedStartMs = 120_000

/** The connections to a database, and the way to end a statement on one of them. */
export interface Connections {
  readonly pool: pg.Pool
  /** Ends the statement that runs on a connection. The connection must not be used again. */
  interrupt(client: pg.Client): Promise<void>
}

export function openConnections(address: Address, max: number, maxMessage: () => number): Connections {
  class GuardedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      guardFrames(wireOf(this), maxMessage)
      // An error that ends a connection is told to its statement; without a listener it would end the process.
      this.on('error', () => {})
    }
  }
  const shared = { Client: GuardedClient, application_name: 'tenon-postgres' }
  if (address.kind === 'folder') return embedded(address.folder, shared)
  const pool = new pg.Pool({
    ...shared,
    connectionString: address.url,
    max,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
  } as pg.PoolConfig)
  pool.on('error', () => {})
  return { pool, interrupt: interruptServer }
}

async function interruptServer(client: pg.Client): Promise<void> {
  // Some proxies give no key to cancel with.
  if (!Number.isInteger(backendKeyOf(client).processID)) return void wireOf(client).stream.destroy()
  const timer = setTimeout(() => wireOf(client).stream.destroy(), cancelPatienceMs)
  wireOf(client).stream.once('close', () => clearTimeout(timer))
  await sendCancelRequest(client)
}

/** One connection, which is a thread; the next thread waits until the one before has left the folder. */
function embedded(folder: string, shared: object): Connections {
  let last: Promise<unknown> = Promise.resolve()
  const pool = new pg.Pool({
    ...shared,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: embeddedStartMs,
    // The environment of the process is about other databases.
    host: 'localhost',
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    password: 'none',
    ssl: false,
    stream: (): Duplex => {
      const stream = new EmbeddedStream(folder, last)
      last = Promise.all([last, stream.ended])
      return stream
    },
  } as pg.PoolConfig)
  pool.on('error', () => {})
  const interrupt = async (client: pg.Client): Promise<void> => void wireOf(client).stream.destroy()
  return { pool, interrupt }
}
