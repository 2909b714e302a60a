import { randomBytes } from 'node:crypto'
import { type Caller, type ConnectionInfo, ToolError } from '@tenon/sdk/server'
import { Session, type Shared } from './session.ts'

const idPattern = /^[0-9a-f]{32}$/
const maxSweepMs = 10_000

/**
 * The sessions of all clients. A connection has a session of its own, which nobody has to name. Where every request is a
 * connection, as over HTTP in revisions without sessions, a session is found by the id that its first call was given: 128
 * random bits, which nobody can guess, and which only work for the principal that got them.
 */
export class Sessions {
  readonly #shared: Shared
  readonly #sessions = new Map<string, Session>()
  /** By connection and principal: a connection may be used with several tokens. */
  readonly #current = new WeakMap<ConnectionInfo, Map<string | undefined, Session>>()
  readonly #timer: NodeJS.Timeout

  constructor(shared: Shared) {
    this.#shared = shared
    this.#timer = setInterval(() => this.#closeUnused(), Math.min(shared.settings().idleTimeout, maxSweepMs)).unref()
  }

  /** The session with an id, or that of the connection; undefined if there is none that the caller may use. */
  find({ auth, connection }: Caller, id: string | undefined): Session | undefined {
    if (id === undefined) return this.#living(this.#current.get(connection)?.get(auth?.principal))
    const session = idPattern.test(id) ? this.#sessions.get(id) : undefined
    return session?.owner === auth?.principal ? session : undefined
  }

  /** The same, and a new one if the caller named none. */
  async findOrBegin(caller: Caller, id: string | undefined): Promise<Session> {
    const session = this.find(caller, id) ?? (id === undefined ? await this.#begin(caller) : undefined)
    if (session === undefined) {
      throw new ToolError(
        `There is no session ${JSON.stringify(id!.slice(0, 64))}: it was closed, or the id is wrong. Call without "session" to begin another one.`,
      )
    }
    const byPrincipal = this.#current.get(caller.connection) ?? new Map<string | undefined, Session>()
    this.#current.set(caller.connection, byPrincipal.set(caller.auth?.principal, session))
    return session
  }

  async end(session: Session): Promise<void> {
    this.#sessions.delete(session.id)
    await session.close()
    if (this.#sessions.size === 0) this.#shared.chromium.closeLater()
  }

  /** Ends the session of a connection that is no more. */
  async endOf(caller: Caller): Promise<void> {
    const session = this.find(caller, undefined)
    if (session !== undefined) await this.end(session)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#sessions.values()].map((session) => this.end(session)))
    await this.#shared.chromium.close()
  }

  #living(session: Session | undefined): Session | undefined {
    return session !== undefined && this.#sessions.get(session.id) === session ? session : undefined
  }

  async #begin(caller: Caller): Promise<Session> {
    const owner = caller.auth?.principal
    const lost = this.#current.get(caller.connection)?.get(owner)
    await this.#makeRoom(owner)
    const session = new Session(randomBytes(16).toString('hex'), owner, this.#shared)
    if (lost !== undefined) session.note('This is a new session: the one before was closed, with its tabs and cookies.')
    this.#sessions.set(session.id, session)
    return session
  }

  /** The longest unused session of the same principal makes room. Those of others stay. */
  async #makeRoom(owner: string | undefined): Promise<void> {
    const { maxSessions } = this.#shared.settings()
    while (this.#sessions.size >= maxSessions) {
      const own = [...this.#sessions.values()].filter((session) => session.owner === owner && !session.isBusy)
      const [oldest] = own.sort((a, b) => a.lastUsed - b.lastUsed)
      if (oldest === undefined) {
        throw new ToolError(
          `All ${maxSessions} browser sessions of this server are in use. Try again when one of them has ended (browser_close).`,
        )
      }
      await this.end(oldest)
    }
  }

  #closeUnused(): void {
    const { idleTimeout } = this.#shared.settings()
    for (const session of this.#sessions.values()) {
      if (!session.isBusy && Date.now() - session.lastUsed > idleTimeout) void this.end(session)
    }
  }
}
