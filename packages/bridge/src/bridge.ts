import { type JsonObject, McpError, type Notification } from '@tenon/sdk/client'
import {
  type BackendHandlers,
  type BackendIntroduction,
  type BackendRequest,
  type BackendSender,
  BackendSession,
  backend,
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
import { ClientSession } from './clients/session.ts'
import { StatelessClients } from './clients/stateless.ts'
import { forwardedError } from './errors.ts'
import { filterOffers, mayBeTold } from './offers.ts'
import {
  type Bounds,
  type BridgeEvent,
  type BridgeOptions,
  boundsOf,
  type Upstream,
  type UpstreamSource,
} from './options.ts'
import type { UpstreamConnection } from './upstream/connection.ts'
import { ConnectionLimit } from './upstream/connection-limit.ts'
import { ConnectionPool } from './upstream/pool.ts'

export { offerRules } from './offer-rules.ts'
export type { Offer, OfferFilter } from './offers.ts'
export type { BridgeEvent, BridgeOptions, Upstream, UpstreamOptions, UpstreamSource } from './options.ts'

/** Notifications that end at the bridge. */
const localNotifications: ReadonlySet<string> = new Set(['notifications/initialized', 'notifications/cancelled'])

/** How long requests may go on after the client ended its half: the server may just be starting. */
const drainMs = 5_000

/** One server, usable over another transport and in every revision. */
export interface Bridge extends AsyncDisposable {
  /** For `serveStdio`, `serveHttp`, `fetchHandler` and other functions that serve a server. */
  readonly server: Server
  /** How the bridge answers, for a backend that does something before or after it. */
  readonly handlers: BackendHandlers
  /** Serves a client on a channel. */
  connect(channel: Channel, info?: ConnectionInfo): ServerConnection
  /** Starts the server again for every client. Calls in flight fail; clients are notified that lists may have changed. */
  restart(): Promise<void>
  /** Closes every connection to the server; its processes are gone when this resolves. */
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
  readonly handlers: BackendHandlers
  readonly #source: UpstreamSource
  readonly #options: BridgeOptions
  readonly #bounds: Bounds
  readonly #limit: ConnectionLimit
  readonly #pool: ConnectionPool
  readonly #stateless: StatelessClients
  readonly #sessions = new Map<object, ClientSession>()
  readonly #ending = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor(source: UpstreamSource, options: BridgeOptions) {
    const bounds = boundsOf(options)
    const { name = 'tenon-bridge', version = '0.1.0', revisions, limits, onError, stateKeys } = options
    this.#bounds = bounds
    this.#source = source
    this.#options = options
    this.#limit = new ConnectionLimit(bounds.maxConnections)
    this.#pool = new ConnectionPool(bounds, this.#limit, {
      actsForCaller: typeof source === 'function',
      isShared: options.shared ?? false,
      upstream: ({ caller }) => this.#upstream(caller),
      opened: (connection) => this.#opened(connection, false),
      failed: (error) => this.#failed(error),
    })
    this.#stateless = new StatelessClients(bounds, this.#pool, (error) => this.#report(error))
    this.handlers = options.offers ? filterOffers(this.#handlers(), options.offers) : this.#handlers()
    this.server = createServer({
      name,
      version,
      backend: backend(this.handlers),
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
    // All at once: every later request gets the new server.
    const sessions = [...this.#sessions.values()].map((session) => session.restart())
    const results = await Promise.allSettled([this.#pool.close(), ...sessions])
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    this.#emit({ kind: 'restarted' })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    this.#limit.close()
    this.#stateless.close()
    await Promise.all([this.#pool.close(), ...[...this.#sessions.values()].map((session) => session.close())])
    await Promise.all(this.#ending)
  }

  #handlers(): BackendHandlers {
    return {
      introduce: (client) => forwardingErrors(() => this.#introduce(client)),
      answer: (request) => forwardingErrors(() => this.#answer(request)),
      listen: (request, filter, notify) => forwardingErrors(() => this.#stateless.listen(request, filter, notify)),
      notified: (from, notification) => this.#notified(from, notification),
      closed: (session) => this.#endSession(session),
      lineClosed: (line) => this.#track(this.#pool.lineClosed(line)),
    }
  }

  async #upstream(caller: Caller): Promise<Upstream> {
    return typeof this.#source === 'function' ? this.#source(caller) : this.#source
  }

  /** A listener that throws does not disturb the bridge. */
  #emit(event: BridgeEvent): void {
    try {
      this.#options.onEvent?.(event)
    } catch (error) {
      this.#options.onError?.(error, { id: '', during: 'onEvent' })
    }
  }

  #failed(error: unknown): void {
    this.#emit({ kind: 'failed', error })
  }

  #opened(connection: UpstreamConnection, session: boolean): void {
    const { info, revision } = connection.client.server
    this.#emit({ kind: 'opened', server: info?.name, revision })
    void connection.closed.then((reason) => {
      if (!connection.isEnding) this.#emit({ kind: 'lost', reason, session })
    })
  }

  #introduce(client: BackendSession | BackendRequest): Promise<BackendIntroduction> {
    return client instanceof BackendSession ? this.#openSession(client) : this.#stateless.introduce(client)
  }

  #answer(request: BackendRequest): Promise<JsonObject | InputRequired> {
    return request.live ? this.#sessionOf(request).answer(request) : this.#stateless.answer(request)
  }

  #notified(from: BackendSession | BackendSender, notification: Notification): void {
    if (localNotifications.has(notification.method)) return
    if (from instanceof BackendSession) this.#sessions.get(from.line)?.notified(notification)
    else this.#stateless.notified(from, notification)
  }

  #report(error: unknown): void {
    this.#options.onError?.(error, { id: '', during: 'bridge' })
  }

  async #openSession(client: BackendSession): Promise<BackendIntroduction> {
    this.#pool.makeRoom()
    this.#limit.take()
    const { offers } = this.#options
    const session = new ClientSession(client, this.#limit, {
      maxSubscriptions: this.#bounds.maxSubscriptions,
      actsForCaller: typeof this.#source === 'function',
      upstream: (caller) => this.#upstream(caller),
      opened: (connection) => this.#opened(connection, true),
      failed: (error) => this.#failed(error),
      restarted: () => this.#emit({ kind: 'restarted' }),
      report: (error) => this.#report(error),
      mayBeTold: (method, params) => !offers || mayBeTold(method, params, offers),
    })
    this.#sessions.set(client.line, session)
    return session.introduce()
  }

  #sessionOf({ line }: BackendRequest): ClientSession {
    const session = this.#sessions.get(line!)
    if (session === undefined) throw new McpError('closed', 'the session did not come about')
    return session
  }

  #endSession({ line }: BackendSession): void {
    const session = this.#sessions.get(line)
    if (session === undefined) return
    this.#sessions.delete(line)
    this.#limit.leave()
    this.#track(session.close())
  }

  /** `close` waits for connections that are closing already. */
  #track(ending: Promise<unknown>): void {
    const settled = ending.catch(() => {}).finally(() => this.#ending.delete(settled))
    this.#ending.add(settled)
  }
}

async function forwardingErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw forwardedError(error)
  }
}
