import { type BackendRequest, isSameAuth } from '@tenon/sdk/relay'
import type { Bounds, Upstream } from '../options.ts'
import { UpstreamConnection } from './connection.ts'
import type { ConnectionLimit } from './connection-limit.ts'
import { senderOf } from './sender.ts'

/** The use of a connection for one request. */
export interface Lease {
  readonly connection: UpstreamConnection
  release(): void
}

interface Entry {
  readonly owner: string
  /** The client's description at the time of opening. */
  readonly sender: string
  /** The token that it was opened with. */
  readonly auth: BackendRequest['auth']
  readonly opening: Promise<UpstreamConnection>
  /** Aborts the attempt to connect. */
  readonly stop: AbortController
  connection: UpstreamConnection | undefined
  users: number
  /** The users without subscriptions. */
  calls: number
  /** True while one call uses it alone. */
  exclusive: boolean
  idle: ReturnType<typeof setTimeout> | undefined
}

/** The sender of a request or of a notification. */
type Requester = Pick<BackendRequest, 'line' | 'auth' | 'caller'>

interface PoolHooks {
  /** True if the bridge acts for the caller: then a connection serves one token. */
  readonly actsForCaller: boolean
  /** True if all clients are programs of one user. */
  readonly isShared: boolean
  upstream(request: Requester): Promise<Upstream>
  opened(connection: UpstreamConnection): void
  failed(error: unknown): void
}

/** The owner of requests that cannot be told apart. */
const anonymous = 'anyone'

/** The owner of all requests, where all clients belong to one user. */
const oneUser = 'one user'

/**
 * The connections of stateless clients. Clients that can be told apart, by connection or by principal, have their own. All
 * others share one owner; a call whose requests or log messages could reach another client uses a connection alone.
 */
export class ConnectionPool {
  readonly #bounds: Bounds
  readonly #limit: ConnectionLimit
  readonly #hooks: PoolHooks
  readonly #entries = new Set<Entry>()
  readonly #lines = new WeakMap<object, string>()
  #lineCount = 0

  constructor(bounds: Bounds, limit: ConnectionLimit, hooks: PoolHooks) {
    this.#bounds = bounds
    this.#limit = limit
    this.#hooks = hooks
  }

  /** A connection for a request, made if need be. */
  async lease(request: BackendRequest): Promise<Lease> {
    while (true) {
      const owner = this.ownerOf(request)
      const entry = this.#fitting(owner, request) ?? this.#add(owner, request)
      if (entry.connection !== undefined) return this.#take(entry, request)
      // The kind of the server decides which requests may share it, so they wait until it is known.
      await entry.opening
      if (this.#fits(entry, request)) return this.#take(entry, request)
    }
  }

  /** The connections of a sender; one is opened if there are none. */
  async allOf(sender: Requester): Promise<UpstreamConnection[]> {
    const owner = this.ownerOf(sender)
    const own = [...this.#entries].filter((entry) => entry.owner === owner && this.#mayUse(entry, sender))
    if (own.length > 0) {
      const opened = await Promise.allSettled(own.map(({ opening }) => opening))
      return opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    }
    const entry = this.#add(owner, sender)
    const connection = await entry.opening
    if (entry.users === 0) this.#rest(entry)
    return [connection]
  }

  /** The connection of a client ended: closes those that were opened for it. */
  async lineClosed(line: object): Promise<void> {
    const owner = this.#lines.get(line)
    if (owner === undefined) return
    await this.#end([...this.#entries].filter((entry) => entry.owner === owner))
  }

  /** Closes all; the next request opens another. */
  close(): Promise<void> {
    return this.#end([...this.#entries])
  }

  async #end(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      this.#remove(entry)
      entry.stop.abort()
    }
    await Promise.all(entries.map(async ({ opening }) => (await opening.catch(() => undefined))?.close()))
  }

  /** The sender of a request, as far as requests can be told apart. */
  ownerOf({ line, auth }: Requester): string {
    if (this.#hooks.isShared) return oneUser
    if (line === undefined) return auth === undefined ? anonymous : `principal ${auth.principal}`
    const known = this.#lines.get(line) ?? `line ${++this.#lineCount}`
    this.#lines.set(line, known)
    return known
  }

  #fitting(owner: string, request: BackendRequest): Entry | undefined {
    const own = [...this.#entries].filter((entry) => entry.owner === owner)
    return own.find((entry) => this.#fits(entry, request)) ?? own.find(({ connection }) => connection === undefined)
  }

  #fits(entry: Entry, request: BackendRequest): boolean {
    const { connection, exclusive, calls, sender } = entry
    if (connection === undefined || !this.#entries.has(entry)) return false
    if (!this.#mayUse(entry, request)) return false
    if (connection.kind.describesClientOnce && sender !== senderKey(request)) return false
    if (isSubscription(request)) return true
    return !exclusive && (calls === 0 || !needsExclusiveUse(entry, request))
  }

  /** A connection that acts for its caller serves one token. */
  #mayUse({ auth }: Entry, request: Requester): boolean {
    return !this.#hooks.actsForCaller || isSameAuth(auth, request.auth)
  }

  #take(entry: Entry, request: BackendRequest): Lease {
    clearTimeout(entry.idle)
    const calls = isSubscription(request) ? 0 : 1
    entry.users++
    entry.calls += calls
    if (needsExclusiveUse(entry, request)) entry.exclusive = true
    let released = false
    const release = (): void => {
      if (released) return
      released = true
      entry.users--
      entry.calls -= calls
      if (entry.calls === 0) entry.exclusive = false
      if (entry.users === 0) this.#rest(entry)
    }
    return { connection: entry.connection!, release }
  }

  #rest(entry: Entry): void {
    clearTimeout(entry.idle)
    if (!this.#entries.has(entry)) return
    entry.idle = setTimeout(() => void this.#end([entry]), this.#bounds.idleMs)
    entry.idle.unref?.()
  }

  #add(owner: string, request: Requester): Entry {
    this.makeRoom()
    this.#limit.take()
    const stop = new AbortController()
    const opening = this.#open(request, owner, stop.signal)
    const entry: Entry = {
      owner,
      sender: senderKey(request),
      auth: request.auth,
      opening,
      stop,
      connection: undefined,
      users: 0,
      calls: 0,
      exclusive: false,
      idle: undefined,
    }
    this.#entries.add(entry)
    opening.then(
      (connection) => {
        entry.connection = connection
        void connection.closed.then(() => this.#remove(entry))
      },
      () => this.#remove(entry),
    )
    return entry
  }

  async #open(request: Requester, owner: string, signal: AbortSignal): Promise<UpstreamConnection> {
    try {
      const connection = await UpstreamConnection.open({
        upstream: await this.#hooks.upstream(request),
        sender: senderOf(request.caller),
        keepsRequests: owner !== anonymous,
        signal,
      })
      this.#hooks.opened(connection)
      return connection
    } catch (error) {
      if (!signal.aborted) this.#hooks.failed(error)
      throw error
    }
  }

  /** Closes an idle connection if there is no place for another. */
  makeRoom(): void {
    if (!this.#limit.full) return
    const idle = [...this.#entries].find(({ users, connection }) => users === 0 && connection !== undefined)
    if (idle !== undefined) void this.#end([idle])
  }

  #remove(entry: Entry): void {
    clearTimeout(entry.idle)
    if (this.#entries.delete(entry)) this.#limit.leave()
  }
}

const senderKey = ({ caller: { client, capabilities } }: Requester): string => JSON.stringify([client, capabilities])

/** Requests and log messages of the server go to calls only, so a subscription disturbs none, and has to see their process. */
const isSubscription = ({ method }: BackendRequest): boolean => method === 'subscriptions/listen'

/** True if requests or log messages of the server could reach another client. */
function needsExclusiveUse({ owner, connection }: Entry, request: BackendRequest): boolean {
  if (owner !== anonymous || isSubscription(request)) return false
  const { method, caller, logLevel } = request
  return connection!.kind.sendsRequests(method, caller.capabilities) || logLevel !== undefined
}
