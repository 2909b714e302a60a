import { ErrorCode, McpError, RpcError } from '@tenon/sdk/client'
import { type BackendRequest, isSameAuth } from '@tenon/sdk/relay'
import { Link } from './link.ts'
import type { Bounds, Upstream } from './options.ts'
import { isAskable, mayAsk } from './running.ts'
import { senderOf } from './sender.ts'

/** The use of a link for one request. */
export interface Lease {
  readonly link: Link
  release(): void
}

interface Entry {
  readonly owner: string
  /** What the client said of itself. A server that is told so with every request may be used for all of an owner. */
  readonly sender: string
  /** The token that it was opened with. */
  readonly auth: BackendRequest['auth']
  readonly opening: Promise<Link>
  /** Ends the attempt to connect. */
  readonly stop: AbortController
  link: Link | undefined
  users: number
  /** True while one request has it to itself. */
  taken: boolean
  idle: ReturnType<typeof setTimeout> | undefined
}

export interface PoolHooks {
  /** True if servers are reached in the name of the caller: then a connection is for one token. */
  readonly actsForCaller: boolean
  upstream(request: BackendRequest): Promise<Upstream>
  opened(link: Link): void
  failed(error: unknown): void
  /** Takes one of the connections that there may be; throws if there is none left. */
  admit(): void
  left(): void
  /** True if there is no connection left. */
  full(): boolean
}

const strangers = 'anyone'

/**
 * The connections of clients that have no session. Whoever can be told apart, by connection or by principal, has its own;
 * those who cannot are taken for one client, except that no question and no message of one's call may reach another: a
 * call that may cause those has its connection to itself.
 */
export class Pool {
  readonly #bounds: Bounds
  readonly #hooks: PoolHooks
  readonly #entries = new Set<Entry>()
  readonly #lines = new WeakMap<object, string>()
  #lineCount = 0

  constructor(bounds: Bounds, hooks: PoolHooks) {
    this.#bounds = bounds
    this.#hooks = hooks
  }

  /** A connection for a request, made if need be. */
  async lease(request: BackendRequest): Promise<Lease> {
    while (true) {
      const owner = this.ownerOf(request)
      const entry = this.#fitting(owner, request) ?? this.#add(owner, request)
      if (entry.link !== undefined) return this.#take(entry, request)
      // What kind of server it is decides who may share it: whoever comes meanwhile waits to see.
      await entry.opening
      if (this.#fits(entry, request)) return this.#take(entry, request)
    }
  }

  /** A connection ended: what was opened for it is of no use any more. */
  async lineClosed(line: object): Promise<void> {
    const owner = this.#lines.get(line)
    if (owner === undefined) return
    await this.#end([...this.#entries].filter((entry) => entry.owner === owner))
  }

  /** Ends all; the next request makes another. */
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

  /** Who a request comes from, as far as can be told. */
  ownerOf({ line, auth }: BackendRequest): string {
    if (line === undefined) return auth === undefined ? strangers : `principal ${auth.principal}`
    const known = this.#lines.get(line) ?? `line ${++this.#lineCount}`
    this.#lines.set(line, known)
    return known
  }

  #fitting(owner: string, request: BackendRequest): Entry | undefined {
    const own = [...this.#entries].filter((entry) => entry.owner === owner)
    return own.find((entry) => this.#fits(entry, request)) ?? own.find(({ link }) => link === undefined)
  }

  #fits(entry: Entry, request: BackendRequest): boolean {
    const { link, taken, users, sender, auth } = entry
    if (link === undefined || taken || !this.#entries.has(entry)) return false
    if (this.#hooks.actsForCaller && !isSameAuth(auth, request.auth)) return false
    if (link.client.asksLive && sender !== senderKey(request)) return false
    return users === 0 || !needsAll(entry, request)
  }

  #take(entry: Entry, request: BackendRequest): Lease {
    clearTimeout(entry.idle)
    entry.users++
    if (needsAll(entry, request)) entry.taken = true
    let released = false
    const release = (): void => {
      if (released) return
      released = true
      entry.users--
      entry.taken = false
      if (entry.users === 0) this.#rest(entry)
    }
    return { link: entry.link!, release }
  }

  #rest(entry: Entry): void {
    if (!this.#entries.has(entry)) return
    entry.idle = setTimeout(() => void this.#end([entry]), this.#bounds.idleMs)
    entry.idle.unref?.()
  }

  #add(owner: string, request: BackendRequest): Entry {
    this.makeRoom()
    this.#hooks.admit()
    const stop = new AbortController()
    const opening = this.#open(request, owner, stop.signal)
    const entry: Entry = {
      owner,
      sender: senderKey(request),
      auth: request.auth,
      opening,
      stop,
      link: undefined,
      users: 0,
      taken: false,
      idle: undefined,
    }
    this.#entries.add(entry)
    opening.then(
      (link) => {
        entry.link = link
        void link.closed.then(() => this.#remove(entry))
      },
      () => this.#remove(entry),
    )
    return entry
  }

  async #open(request: BackendRequest, owner: string, signal: AbortSignal): Promise<Link> {
    try {
      const link = await Link.open({
        upstream: await this.#hooks.upstream(request),
        sender: senderOf(request.caller),
        keepsQuestions: owner !== strangers,
        signal,
      })
      this.#hooks.opened(link)
      return link
    } catch (error) {
      if (!signal.aborted) this.#hooks.failed(error)
      throw error
    }
  }

  /** A connection that rests makes room for one that is needed. */
  makeRoom(): void {
    if (!this.#hooks.full()) return
    const resting = [...this.#entries].find(({ users, link }) => users === 0 && link !== undefined)
    if (resting !== undefined) void this.#end([resting])
  }

  #remove(entry: Entry): void {
    clearTimeout(entry.idle)
    if (this.#entries.delete(entry)) this.#hooks.left()
  }
}

const senderKey = ({ caller: { client, capabilities } }: BackendRequest): string =>
  JSON.stringify([client, capabilities])

/** True if what the server says meanwhile could reach somebody else. */
function needsAll({ owner, link }: Entry, { method, caller, logLevel }: BackendRequest): boolean {
  if (owner !== strangers) return false
  const asked = link!.client.asksLive && mayAsk.has(method) && isAskable(caller.capabilities)
  return asked || logLevel !== undefined
}

/** Counts the connections of sessions and of others. */
export class Places {
  readonly #limit: number
  #taken = 0
  #closed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  get full(): boolean {
    return this.#taken >= this.#limit
  }

  take(): void {
    if (this.#closed) throw new McpError('closed', 'The bridge was closed')
    if (this.full) {
      const limit = this.#limit
      throw new RpcError(ErrorCode.InternalError, `Too many connections to the server (the limit is ${limit})`, {
        limit,
      })
    }
    this.#taken++
  }

  leave(): void {
    this.#taken--
  }

  close(): void {
    this.#closed = true
  }
}
