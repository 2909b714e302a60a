import type { Authenticate } from '../http/authenticate.ts'
import { assertPath } from '../http/request-target.ts'
import { defaultMaxDepth } from '../jsonrpc/limits.ts'
import { checkKinds, type OptionKinds } from '../options/check-kinds.ts'
import type { SpentStates } from '../server/stateless/spent-states.ts'
import type { SharedTasks } from '../server/tasks/task-options.ts'
import { assertCors, type CorsOptions } from './checks/cors.ts'
import { multipliesInstances } from './platform.ts'
import type { HealthOptions } from './probes.ts'
import { MemoryEventLog } from './stores/memory-event-log.ts'
import { MemorySessionStore } from './stores/memory-session-store.ts'
import type { Bus, EventLog, EventLogLimits, SessionStore } from './stores/stores.ts'

/**
 * How a request is answered.
 *
 * - `auto`: as JSON, unless the handler sends something before its result; then as an event stream
 * - `json`: always as JSON; notifications before the result are dropped
 * - `sse`: as an event stream, except for errors that have an HTTP status of their own
 */
export type ResponseMode = 'auto' | 'json' | 'sse'

interface HttpSessionOptions {
  /** Default 10,000; the one that was idle longest makes room for a new one. */
  max?: number
  /** Default 30 min. */
  idleMs?: number
  /**
   * Requests of one session, or of one HTTP+SSE connection, that may be in flight at once; more are answered with an error
   * -32603. `limits.maxIncoming` of the server holds as well. Default 256.
   */
  maxInFlight?: number
  /** Default: memory. */
  store?: SessionStore
  /**
   * Announces ended sessions to other processes that use the same store, and carries messages between them if it is a
   * `SharedSessionStore`. Default: there are none.
   */
  bus?: Bus
}

export interface HttpOptions {
  /** The path of the endpoint; everything else is answered with 404. Default: every path. */
  path?: string
  /** Serves HTTP+SSE of 2024-11-05 at this path; false switches it off. Default `/sse`; off without sessions. */
  sse?: string | false
  /**
   * Names in `Host` that are answered, any port unless one is given; others get 403, which stops DNS rebinding. `'*'`
   * switches the check off. Default: the names of this machine, if the connection ends at a loopback address.
   */
  allowedHosts?: readonly string[] | '*'
  /**
   * Web origins that may call; others get 403. `'*'` switches the check off. Default: pages of this machine and of
   * `allowedHosts`.
   */
  allowedOrigins?: readonly string[] | '*'
  /** Lets web pages of other origins read the answers. Default: none may. */
  cors?: CorsOptions
  auth?: Authenticate
  responseMode?: ResponseMode
  /** Default 4 MiB. More is answered with 413. */
  maxBodyBytes?: number
  /** How deep JSON may nest. Default 64. */
  maxDepth?: number
  /** How long a request body may take to arrive. Default 30 s. Later is answered with 408. */
  bodyTimeoutMs?: number
  /** Requests that may be in flight at once; more are answered with 503. Default 10,000. */
  maxInFlight?: number
  /**
   * Requests of one principal that may be in flight at once, in all its sessions and without any; more are answered with
   * 429. Default: a tenth of `maxInFlight`, but at least 100.
   */
  maxInFlightPerPrincipal?: number
  /** How many `subscriptions/listen` may be open at once, which are not in flight; more get 503. Default 10,000. */
  maxListens?: number
  /**
   * The sessions of clients up to 2025-11-25. With `false` there are none: every POST stands alone, so that any instance
   * can answer it, there is no HTTP+SSE, and handlers cannot ask such clients. Default: sessions in memory, and `false` on
   * Cloudflare Workers, AWS Lambda and Vercel, which run as many instances as they like.
   */
  sessions?: HttpSessionOptions | false
  /** The events that are kept for clients that reconnect; false: none. */
  eventLog?: EventLogLimits | EventLog | false
  /** As `spentStates` of `createServer`, which wins: for stores that are given as a whole. */
  spentStates?: SpentStates
  /** As `tasks.store` and `tasks.queue` of `createServer`, which win: for stores that are given as a whole. */
  tasks?: SharedTasks
  /**
   * Answers `GET /healthz` while the process lives, and `GET /readyz` with 503 while it closes or `ready` says no. Default:
   * both are unknown paths.
   */
  health?: boolean | HealthOptions
  /** A comment is sent on event streams this often, so that no proxy takes them for dead. Default 15 s; 8 s on Bun. */
  keepAliveMs?: number
  /** How long clients should wait before they reconnect. Default 1 s. */
  retryMs?: number
  /**
   * Ends the connection of a request that stays silent this long, where the client can come back for the answer (from
   * 2025-11-25). Default: never.
   */
  pollAfterMs?: number
  /**
   * Bytes that may wait for a slow client. A connection with more unread answers is not read from until the client has
   * caught up, and one with more of an unread event stream is ended. Default 16 MiB.
   */
  maxBufferedBytes?: number
  /** How long a client may read nothing while 64 KiB or more wait for it; then its connection is ended. Default 30 s. */
  unreadTimeoutMs?: number
}

export const httpKinds: OptionKinds<HttpOptions> = {
  path: 'any',
  sse: ['string', 'false'],
  allowedHosts: ['array', '*'],
  allowedOrigins: ['array', '*'],
  cors: 'object',
  auth: 'function',
  responseMode: 'string',
  maxBodyBytes: 'number',
  maxDepth: 'number',
  bodyTimeoutMs: 'number',
  maxInFlight: 'number',
  maxInFlightPerPrincipal: 'number',
  maxListens: 'number',
  sessions: ['object', 'false'],
  eventLog: ['object', 'false'],
  spentStates: 'object',
  tasks: 'object',
  health: ['object', 'boolean'],
  keepAliveMs: 'number',
  retryMs: 'number',
  pollAfterMs: 'number',
  maxBufferedBytes: 'number',
  unreadTimeoutMs: 'number',
}

const sessionKinds: OptionKinds<HttpSessionOptions> = {
  max: 'number',
  idleMs: 'number',
  maxInFlight: 'number',
  store: 'object',
  bus: 'object',
}

/** The options, with all defaults. */
export interface HttpSettings {
  readonly path: string | undefined
  readonly ssePath: string | undefined
  readonly allowedHosts: readonly string[] | '*' | undefined
  readonly allowedOrigins: readonly string[] | '*' | undefined
  readonly cors: CorsOptions | undefined
  readonly auth: Authenticate | undefined
  readonly responseMode: ResponseMode
  readonly maxBodyBytes: number
  readonly maxDepth: number
  readonly bodyTimeoutMs: number
  readonly maxInFlight: number
  readonly maxInFlightPerPrincipal: number
  /** Whether clients of revisions with a handshake get sessions. */
  readonly sessions: boolean
  readonly maxInFlightPerSession: number
  readonly maxListens: number
  readonly maxSessions: number
  readonly idleMs: number
  readonly sessionStore: SessionStore
  readonly bus: Bus | undefined
  readonly eventLog: EventLog | undefined
  readonly keepAliveMs: number
  readonly retryMs: number
  readonly pollAfterMs: number | undefined
}

export function httpSettings(options: HttpOptions): HttpSettings {
  const { path, sse, cors, maxInFlight = 10_000 } = options
  const given = options.sessions ?? (multipliesInstances() ? false : {})
  const sessions = given || {}
  checkKinds(sessions, sessionKinds, 'sessions', 'invalid_argument')
  if (path !== undefined) assertPath(path, 'path')
  if (typeof sse === 'string') assertPath(sse, 'sse')
  if (cors !== undefined) assertCors(cors)
  return {
    path: options.path,
    ssePath: sse === false ? undefined : (sse ?? (given === false ? undefined : '/sse')),
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins,
    cors: options.cors,
    auth: options.auth,
    responseMode: options.responseMode ?? 'auto',
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    maxDepth: options.maxDepth ?? defaultMaxDepth,
    bodyTimeoutMs: options.bodyTimeoutMs ?? defaultBodyTimeoutMs,
    maxInFlight,
    maxInFlightPerPrincipal: options.maxInFlightPerPrincipal ?? Math.max(100, Math.ceil(maxInFlight / 10)),
    sessions: given !== false,
    maxInFlightPerSession: sessions.maxInFlight ?? 256,
    maxListens: options.maxListens ?? 10_000,
    maxSessions: sessions.max ?? 10_000,
    idleMs: sessions.idleMs ?? 30 * 60_000,
    sessionStore: sessions.store ?? new MemorySessionStore(),
    bus: sessions.bus,
    eventLog: eventLogOf(options.eventLog),
    keepAliveMs: options.keepAliveMs ?? defaultKeepAliveMs,
    retryMs: options.retryMs ?? 1_000,
    pollAfterMs: options.pollAfterMs,
  }
}

function eventLogOf(given: HttpOptions['eventLog']): EventLog | undefined {
  if (given === false) return undefined
  return given !== undefined && 'append' in given ? given : new MemoryEventLog(given)
}

export const defaultMaxBodyBytes: number = 4 * 1024 * 1024
// Bun ends connections on which nothing was sent for 10 s, event streams too.
const defaultKeepAliveMs = 'Bun' in globalThis ? 8_000 : 15_000
export const defaultBodyTimeoutMs = 30_000
export const defaultUnreadTimeoutMs = 30_000
export const defaultMaxBufferedBytes: number = 16 * 1024 * 1024
