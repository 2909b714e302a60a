import { type JsonObject, McpError } from '@tenon/sdk/client'
import {
  type BackendHandlers,
  type BackendIntroduction,
  type BackendListening,
  type BackendRequest,
  BackendSession,
  backend,
  type ListenFilter,
} from '@tenon/sdk/relay'
import {
  type Caller,
  type Channel,
  type ConnectionInfo,
  createServer,
  type InputRequired,
  type Server,
  type ServerConnection,
} from '@tenon/sdk/server'
import { callLive, callRound } from './calls.ts'
import { passedOn, tooManySubscriptions } from './errors.ts'
import { FollowedTasks } from './followed.ts'
import { HeldCalls } from './held.ts'
import type { Link } from './link.ts'
import { listenOn } from './listening.ts'
import {
  type Bounds,
  type BridgeEvent,
  type BridgeOptions,
  boundsOf,
  type Upstream,
  type UpstreamSource,
} from './options.ts'
import { type Lease, Places, Pool } from './pool.ts'
import { isAskable, mayAsk } from './running.ts'
import { senderOf } from './sender.ts'
import { Session } from './session.ts'
import { sharesTasks, shown, withoutTasks } from './shown.ts'
import { pagesFirst } from './url-required.ts'

export type { BridgeEvent, BridgeOptions, Upstream, UpstreamOptions, UpstreamSource } from './options.ts'

/** How long requests may go on after the client ended its half: the server may just be starting. */
const drainMs = 5_000

/** One server, usable over another transport and in every revision. */
export interface Bridge extends AsyncDisposable {
  /** For `serveStdio`, `serveHttp`, `fetchHandler` and everything else that serves a server. */
  readonly server: Server
  /** Serves a client on a channel. */
  connect(channel: Channel, info?: ConnectionInfo): ServerConnection
  /** Starts the server again for every client. Calls in flight fail; clients hear that lists may have changed. */
  restart(): Promise<void>
  /** Ends every connection to the server; its processes are gone when this resolves. */
  close(): Promise<void>
}

/**
 * Makes one server usable over another transport and in every revision.
 *
 * @example
 * const local = bridge({ target: 'https://example.com/mcp' })
 * await serveStdio(local.server)
 */
export function bridge(upstream: UpstreamSource, options: BridgeOptions = {}): Bridge {
  return new RunningBridge(upstream, options)
}

class RunningBridge implements Bridge {
  readonly server: Server
  readonly #source: UpstreamSource
  readonly #options: BridgeOptions
  readonly #bounds: Bounds
  readonly #places: Places
  readonly #pool: Pool
  readonly #held: HeldCalls
  readonly #tasks: FollowedTasks
  readonly #sessions = new Map<object, Session>()
  readonly #ending = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor(source: UpstreamSource, options: BridgeOptions) {
    const bounds = boundsOf(options)
    this.#bounds = bounds
    const { name = 'tenon-bridge', version = '0.1.0', revisions, limits, onError, stateKeys } = options
    this.#source = source
    this.#options = options
    this.#places = new Places(bounds.maxConnections)
    this.#held = new HeldCalls(bounds)
    this.#tasks = new FollowedTasks(bounds)
    this.#pool = new Pool(bounds, {
      actsForCaller: typeof source === 'function',
      upstream: ({ caller }) => this.#upstream(caller),
      opened: (link) => this.#opened(link, false),
      failed: (error) => this.#failed(error),
      admit: () => this.#places.take(),
      left: () => this.#places.leave(),
      full: () => this.#places.full,
    })
    this.server = createServer({
      name,
      version,
      backend: backend(this.#handlers()),
      limits: { stateTtlMs: bounds.answerMs, drainMs, ...limits },
      ...(revisions && { revisions }),
      ...(stateKeys && { stateKeys }),
      ...(onError && { onError }),
    })
  }

  connect(channel: Channel, info?: ConnectionInfo): ServerConnection {
    return this.server.connect(channel, info)
  }

  async restart(): Promise<void> {
    // All at once: whoever asks from here on gets the new server.
    await Promise.all([this.#pool.close(), ...[...this.#sessions.values()].map((session) => session.restart())])
    this.#tell({ kind: 'restarted' })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    this.#places.close()
    this.#held.close()
    await Promise.all([this.#pool.close(), ...[...this.#sessions.values()].map((session) => session.close())])
    await Promise.all(this.#ending)
  }

  #handlers(): BackendHandlers {
    return {
      introduce: (to) => passing(() => (to instanceof BackendSession ? this.#begin(to) : this.#describe(to))),
      answer: (request) => passing(() => this.#answer(request)),
      listen: (request, filter, tell) => passing(() => this.#listen(request, filter, tell)),
      notified: (session, notification) => this.#sessions.get(session.line)?.notified(notification),
      closed: (session) => this.#end(session),
      lineClosed: (line) => this.#track(this.#pool.lineClosed(line)),
    }
  }

  async #upstream(caller: Caller): Promise<Upstream> {
    return typeof this.#source === 'function' ? this.#source(caller) : this.#source
  }

  /** A listener that fails is nobody's fault here. */
  #tell(event: BridgeEvent): void {
    try {
      this.#options.onEvent?.(event)
    } catch (error) {
      this.#options.onError?.(error, { id: '', during: 'onEvent' })
    }
  }

  #failed(error: unknown): void {
    this.#tell({ kind: 'failed', error })
  }

  #opened(link: Link, session: boolean): void {
    const { info, revision } = link.client.server
    this.#tell({ kind: 'opened', server: info?.name, revision })
    void link.closed.then((reason) => {
      if (!link.isEnding) this.#tell({ kind: 'lost', reason, session })
    })
  }

  // Clients with a session

  async #begin(near: BackendSession): Promise<BackendIntroduction> {
    this.#pool.makeRoom()
    this.#places.take()
    const session = new Session(near, {
      maxSubscriptions: this.#bounds.maxSubscriptions,
      actsForCaller: typeof this.#source === 'function',
      upstream: (caller) => this.#upstream(caller),
      admit: () => this.#places.take(),
      left: () => this.#places.leave(),
      opened: (link) => this.#opened(link, true),
      failed: (error) => this.#failed(error),
      restarted: () => this.#tell({ kind: 'restarted' }),
      report: (error) => this.#options.onError?.(error, { id: '', during: 'bridge' }),
    })
    this.#sessions.set(near.line, session)
    return session.introduce()
  }

  #sessionOf({ line }: BackendRequest): Session {
    const session = this.#sessions.get(line!)
    if (session === undefined) throw new McpError('closed', 'the session did not come about')
    return session
  }

  #end({ line }: BackendSession): void {
    const session = this.#sessions.get(line)
    if (session === undefined) return
    this.#sessions.delete(line)
    this.#places.leave()
    this.#track(session.close())
  }

  /** What ends by itself is waited for by whoever closes the bridge. */
  #track(ending: Promise<unknown>): void {
    const settled = ending.catch(() => {}).finally(() => this.#ending.delete(settled))
    this.#ending.add(settled)
  }

  // Clients without

  async #describe(request: BackendRequest): Promise<BackendIntroduction> {
    const { link, release } = await this.#pool.lease(request)
    release()
    return shown(link.client.server, request.caller.revision)
  }

  async #answer(request: BackendRequest): Promise<JsonObject | InputRequired> {
    if (request.live) return this.#sessionOf(request).answer(request)
    const followed = this.#tasks.answer(request, this.#pool.ownerOf(request))
    if (followed !== undefined) return followed
    const held = this.#held.resumed(request)
    try {
      return await (held?.next(request) ?? this.#call(request, await this.#pool.lease(request)))
    } catch (error) {
      const pages = pagesFirst(error, request)
      if (pages === undefined) throw error
      return pages
    }
  }

  async #call(request: BackendRequest, { link, release }: Lease): Promise<JsonObject | InputRequired> {
    const { caller, method, logLevel } = request
    const { client } = link
    const shares = sharesTasks(client.server, caller.revision)
    const capabilities = shares ? caller.capabilities : withoutTasks(caller.capabilities)
    const sender = senderOf({ client: caller.client, capabilities }, logLevel)
    if (logLevel !== undefined) await link.wantLevel(logLevel)
    // A task goes on after the call, and with it the use of the connection.
    const done = (result: JsonObject | undefined): void => {
      const isFollowed = !shares && this.#tasks.adopt(result, this.#pool.ownerOf(request), link, release)
      if (!isFollowed) release()
    }
    if (client.asksLive && mayAsk.has(method) && isAskable(capabilities)) {
      return this.#held.start(request, { link, sender, done }).next(request)
    }
    const call = client.asksLive ? callLive : callRound
    let result: JsonObject | InputRequired | undefined
    try {
      result = await call(link, request, sender)
      return result
    } finally {
      done(result as JsonObject | undefined)
    }
  }

  async #listen(request: BackendRequest, filter: ListenFilter, tell: Tell): Promise<BackendListening> {
    const { maxSubscriptions } = this.#bounds
    const count = (filter.resourceSubscriptions?.length ?? 0) + (filter.taskIds?.length ?? 0)
    if (count > maxSubscriptions) throw tooManySubscriptions(maxSubscriptions)
    const { link, release } = await this.#pool.lease(request)
    try {
      const owner = this.#pool.ownerOf(request)
      const listening = await listenOn(link, filter, tell, (taskId) => this.#tasks.of(taskId, owner))
      const stop = (): Promise<void> => Promise.resolve(listening.stop()).finally(release)
      return { ...listening, stop }
    } catch (error) {
      release()
      throw error
    }
  }
}

type Tell = Parameters<BackendHandlers['listen']>[2]

async function passing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw passedOn(error)
  }
}
