import { McpError } from '../errors.ts'
import type { UsedExtension } from '../extension/extension.ts'
import type { HttpClientOptions } from '../http-client/http-options.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { Notification } from '../jsonrpc/message.ts'
import { type PeerOptions, peerDefaults } from '../jsonrpc/peer-options.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { ElicitFormParams, ElicitParams, ElicitResult, ElicitUrlParams } from '../model/elicitation.ts'
import type { LogMessage } from '../model/logging.ts'
import type { Implementation } from '../model/meta.ts'
import { isRevision, type Revision, revisions } from '../model/revision.ts'
import type { Root } from '../model/roots.ts'
import type { CreateMessageParams, CreateMessageResult } from '../model/sampling.ts'
import type { TrafficEvent } from '../transport/tap.ts'
import { version } from '../version.ts'
import { assertOptions } from './assert-options.ts'
import { type CountedAuth, countRenewals } from './calls/counted-auth.ts'
import type { CacheOptions, CacheSettings } from './calls/response-cache.ts'
import type { KeepAliveOptions } from './connecting/keep-alive.ts'
import { omitUndefined } from './omit-undefined.ts'
import type { InputContext, ServerDescription } from './types.ts'

/** Answers an elicitation request. */
export type ElicitHandler<Params = ElicitParams> = (
  request: Params,
  context: InputContext,
) => MaybePromise<ElicitResult>

/** Answers a sampling request. Throw an `RpcError` with `ErrorCode.UserRejected` when the user says no. */
export type SampleHandler = (request: CreateMessageParams, context: InputContext) => MaybePromise<CreateMessageResult>

/** The roots, or a function that finds them for each `roots/list`. */
export type RootsSource = Root[] | (() => MaybePromise<Root[]>)

/** How structured content is checked against output schemas: not at all, with warnings, or by failing the call. */
export type ValidationMode = 'off' | 'warn' | 'strict'

/** Options of `connect`. The members of `HttpClientOptions` matter for URLs only. */
export interface ConnectOptions extends HttpClientOptions {
  /** The name and version of this client. */
  info?: Implementation
  /** The revisions that may be used, in any order; the newest common one is. All five by default. */
  revisions?: readonly Revision[]
  /**
   * The conversation to try first. `newest`, the default, is the newest common revision. `session` is the newest one with
   * a session, if the server has any: for servers whose handlers ask in a session only. Without this option, a server
   * that said so is remembered for an hour, and a client with `elicit`, `sample` or `roots` opens a session with it.
   */
  prefer?: 'newest' | 'session'
  /** Answers elicitations: one function for both modes, or only the modes that have a function. */
  elicit?: ElicitHandler | { form?: ElicitHandler<ElicitFormParams>; url?: ElicitHandler<ElicitUrlParams> }
  /** Answers sampling requests; `tools` and `context` say that the handler understands those members. */
  sample?: SampleHandler | { handler: SampleHandler; tools?: boolean; context?: boolean }
  roots?: RootsSource
  /** Declared in addition to the capabilities that the callbacks imply. */
  capabilities?: Pick<ClientCapabilities, 'experimental' | 'extensions'>
  /** The extensions to declare, each made by `extension(...).use()`. */
  extensions?: readonly UsedExtension[]
  onLog?: (message: LogMessage) => void
  /** A URL elicitation that was accepted here is finished. */
  onElicitationComplete?: (elicitationId: string) => void
  /** Protocol errors of the server and exceptions of callbacks. They do not end the connection. */
  onError?: (error: Error) => void
  /** Faults that do not fail a call, such as structured content that does not fit its schema. */
  onWarning?: (message: string) => void
  /** Every notification, as it arrived. */
  onNotification?: (notification: Notification) => void
  /** Every message in both directions, and input that is none: for logs and recordings. */
  onMessage?: (event: TrafficEvent) => void
  /** The server was started again after it had ended by itself. */
  onRestart?: (server: ServerDescription) => void
  /** For calls that do not say otherwise: 60 s of silence, 10 min in all. */
  timeoutMs?: number
  maxTotalMs?: number
  /**
   * How long a server that has shown life may leave `server/discover` unanswered before `initialize` is sent too; one
   * that has shown none gets three times as long. Over HTTP only answers count. 5 s, at most a quarter of `timeoutMs`.
   */
  probeTimeoutMs?: number
  /** Pings the server from time to time; one that does not answer counts as gone. By default nothing is sent. */
  keepAlive?: KeepAliveOptions
  /** `warn` by default. */
  validate?: ValidationMode
  /** Lists and resources are kept for as long as a server of 2026-07-28 allows; false keeps nothing. */
  cache?: false | CacheOptions
  /**
   * Whether servers may answer any tool call with a task, which is then polled to its end. By default only calls with
   * the option `task`, and `client.tasks`, use tasks; false switches those off too.
   */
  tasks?: boolean
  limits?: ClientLimits
  /** Aborting it ends the attempt to connect. */
  signal?: AbortSignal
}

/** Bounds on the work that a server can cause. */
export interface ClientLimits {
  /** Requests of the server in work at once, and input requests in one result. 2,048. */
  maxIncoming?: number
  /** Requests to the server in flight at once; more wait. 1,024. */
  maxOutgoing?: number
  /** Messages in one batch. 100. */
  maxBatch?: number
  /** Pages of one list. 1,000. */
  maxPages?: number
  /** How often a server may answer one call with input requests. 100. */
  maxRounds?: number
  /** Input requests of the server in a minute, in results or as requests. Unlimited. */
  maxQuestionsPerMinute?: number
}

/** Options with every default filled in. */
export interface ClientSettings extends Omit<ConnectOptions, 'cache'> {
  info: Implementation
  /** Newest first. */
  revisions: readonly Revision[]
  probeTimeoutMs: number
  validate: ValidationMode
  maxPages: number
  maxRounds: number
  maxQuestionsPerMinute: number | undefined
  cache: false | CacheSettings
  peer: Required<PeerOptions>
  report: (error: Error) => void
  warn: (message: string) => void
}

/** Fills in the defaults and refuses options that cannot work. */
export function resolveOptions(options: ConnectOptions): ClientSettings {
  assertOptions(options)
  const { timeoutMs = peerDefaults.timeoutMs, maxTotalMs = peerDefaults.maxTotalMs, probeTimeoutMs = 5_000 } = options
  const {
    maxPages = 1_000,
    maxRounds = 100,
    maxQuestionsPerMinute,
    ...limits
  } = atLeastOne('limits', options.limits ?? {})
  const auth = options.auth && countRenewals(options.auth)
  return {
    ...options,
    ...(auth && { auth }),
    info: options.info ?? { name: 'tenon', version },
    revisions: newestFirst(options.revisions ?? revisions),
    probeTimeoutMs: milliseconds('probeTimeoutMs', probeTimeoutMs),
    ...(options.keepAlive && { keepAlive: keepAliveOf(options.keepAlive) }),
    validate: options.validate ?? 'warn',
    maxPages,
    maxRounds,
    maxQuestionsPerMinute,
    cache: cacheSettings(options, auth),
    peer: {
      ...peerDefaults,
      ...limits,
      timeoutMs: milliseconds('timeoutMs', timeoutMs),
      maxTotalMs: milliseconds('maxTotalMs', maxTotalMs),
    },
    report: quietly(options.onError),
    warn: quietly(options.onWarning),
  }
}

const keepAliveOf = ({ everyMs, timeoutMs = 10_000 }: KeepAliveOptions): KeepAliveOptions => ({
  everyMs: milliseconds('keepAlive.everyMs', everyMs),
  timeoutMs: milliseconds('keepAlive.timeoutMs', timeoutMs),
})

function cacheSettings({ cache = {}, headers }: ConnectOptions, auth?: CountedAuth): false | CacheSettings {
  if (cache === false) return false
  const { maxEntries = 500, maxBytes = 8 * 1024 * 1024 } = atLeastOne('cache', cache)
  // A function may return headers of another user each time.
  return { maxEntries, maxBytes, keepsPrivate: typeof headers !== 'function', ...(auth && { auth }) }
}

function newestFirst(allowed: readonly Revision[]): readonly Revision[] {
  const unknown = allowed.find((revision) => !isRevision(revision))
  if (unknown !== undefined || allowed.length === 0) {
    const found = unknown === undefined ? 'none' : JSON.stringify(unknown)
    throw new McpError('invalid_argument', `revisions: expected some of ${revisions.join(', ')}, got ${found}`)
  }
  return revisions.filter((revision) => allowed.includes(revision)).reverse()
}

/** A time limit; `Infinity` is none. */
export function milliseconds(name: string, value: number): number {
  if (typeof value === 'number' && value > 0) return Math.min(value, Number.MAX_SAFE_INTEGER)
  throw new McpError('invalid_argument', `${name}: expected milliseconds above 0, or Infinity, got ${String(value)}`)
}

function atLeastOne<Limits extends { [Name in keyof Limits]?: number }>(option: string, limits: Limits): Limits {
  for (const [name, limit] of Object.entries<number | undefined>(limits)) {
    if (limit === undefined || limit >= 1) continue
    throw new McpError('invalid_argument', `${option}.${name}: expected a number of at least 1, got ${String(limit)}`)
  }
  return omitUndefined({ ...limits }) as Limits
}

// The last resort for errors: its own errors are dropped.
function quietly<T>(callback: ((value: T) => void) | undefined): (value: T) => void {
  return (value) => {
    try {
      callback?.(value)
    } catch {}
  }
}

/** Calls a listener of the user; its exceptions and rejections go to `report`. */
export function callListener<T>(
  report: (error: Error) => void,
  listener: ((value: T) => unknown) | undefined,
  value: T,
): void {
  if (listener === undefined) return
  try {
    const returned = listener(value)
    if (returned instanceof Promise) returned.catch((error: unknown) => report(toError(error)))
  } catch (error) {
    report(toError(error))
  }
}

/** Anything that was thrown, as an `Error`. */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown })
