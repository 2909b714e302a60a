import { channel } from 'node:diagnostics_channel'
import { McpError, type StoreEvent } from '@tenon/sdk/server'
import pg from 'pg'

export interface DatabaseOptions {
  /** Connections of this process. Default 10. */
  maxConnections?: number
  /** How long PostgreSQL may take to answer, or a connection to become free. Default 2 s. */
  timeoutMs?: number
  /** Statements that may wait for a connection at once; more fail. Default 1,000. */
  maxWaiting?: number
}

const published = channel('tenon:store')

/** The rows of a statement. The types of the driver are not those of its users, who need not have them. */
interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: columns have the types of their table.
  readonly rows: any[]
  readonly rowCount: number | null
}

/** Says whether a table is there, and makes it. */
interface Setup {
  readonly isThere: string
  readonly create: string
}

/**
 * Connections to PostgreSQL, made as they are needed. Without it every statement fails with an `McpError` of code
 * `unavailable`, at once if nobody answers at its address, and else after `timeoutMs`.
 */
export class Database {
  readonly #pool: pg.Pool
  readonly #shown: string
  readonly #place: Pick<StoreEvent, 'address' | 'port'>
  readonly #password: string
  readonly #maxWaiting: number
  readonly #setup: Setup
  #ready: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(url: string, setup: Setup, options: DatabaseOptions) {
    const { maxConnections = 10, timeoutMs = 2_000, maxWaiting = 1_000 } = options
    for (const [name, value] of Object.entries({ maxConnections, timeoutMs, maxWaiting })) checkCount(name, value)
    const address = readAddress(url)
    this.#shown = `postgres://${address.host}${address.pathname}`
    this.#place = { address: address.hostname.replace(/^\[|\]$/g, ''), port: Number(address.port || 5_432) }
    this.#password = decodeURIComponent(address.password)
    this.#maxWaiting = maxWaiting
    this.#setup = setup
    this.#pool = new pg.Pool({
      connectionString: url,
      max: maxConnections,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
      allowExitOnIdle: true,
    })
    // A connection that breaks while nobody uses it is not missed.
    this.#pool.on('error', () => {})
  }

  async query(statement: string, values: readonly unknown[]): Promise<Answer> {
    this.#ready ??= this.#prepare().catch((error: unknown) => {
      this.#ready = undefined
      throw error
    })
    await this.#ready
    return this.#send(statement, [...values])
  }

  /** True if it can be written to. */
  async ready(): Promise<boolean> {
    try {
      const { rows } = await this.#send('SELECT pg_is_in_recovery() AS standby')
      return (rows[0] as { standby: boolean }).standby === false
    } catch {
      return false
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#pool.end()
    return this.#closing
  }

  /** Who may use a table need not be allowed to make one. */
  async #prepare(): Promise<void> {
    const { rows } = await this.#send(this.#setup.isThere)
    if ((rows[0] as { found: boolean }).found !== true) await this.#send(this.#setup.create)
  }

  async #send(statement: string, values?: unknown[]): Promise<Answer> {
    if (this.#closing !== undefined) throw new McpError('closed', `The connection to ${this.#shown} was closed`)
    if (this.#pool.waitingCount >= this.#maxWaiting) throw this.#unavailable('too many statements wait for it')
    const started = performance.now()
    let errorType: string | undefined
    try {
      return await this.#pool.query(statement, values)
    } catch (error) {
      errorType = 'unavailable'
      throw this.#unavailable(error)
    } finally {
      if (published.hasSubscribers) this.#publish(statement, { durationMs: performance.now() - started, errorType })
    }
  }

  /** The first word of a statement is its operation. */
  #publish(statement: string, measured: Pick<StoreEvent, 'durationMs' | 'errorType'>): void {
    const [operation = ''] = statement.trim().split(/[\s;]/, 1)
    const event: StoreEvent = { system: 'postgresql', operation, ...this.#place, ...measured }
    published.publish(event)
  }

  /** Errors of the driver are not passed on: they may carry texts of clients. */
  #unavailable(reason: unknown): McpError {
    const said = (
      reason instanceof Error ? reason.message || String((reason as { code?: string }).code) : String(reason)
    )
      .replaceAll(this.#password || '\0', '***')
      .slice(0, 300)
    return new McpError('unavailable', `PostgreSQL at ${this.#shown} cannot be used at the moment: ${said}`)
  }
}

/** Messages never show an address as it was given: it may hold a password. */
function readAddress(url: string): URL {
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  const isEncoded = !/%(?![0-9a-f]{2})/i.test(address?.password ?? '')
  if (address !== undefined && /^postgres(ql)?:$/.test(address.protocol) && address.host !== '' && isEncoded)
    return address
  throw new McpError(
    'invalid_argument',
    'the address of PostgreSQL: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  )
}

function checkCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new McpError('invalid_argument', `${name}: expected a whole number above 0, got ${String(value)}`)
}
