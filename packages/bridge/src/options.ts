import type { ConnectOptions, McpError, Revision, Target } from '@tenon/sdk/client'
import type { RawClientOptions } from '@tenon/sdk/relay'
import type { Caller, ErrorReport, ServerLimits, StateKey } from '@tenon/sdk/server'
import type { OfferFilter } from './offers.ts'

/** How to reach the server: the options of `connect`, without the callbacks, which belong to the client. */
export type UpstreamOptions = Omit<
  RawClientOptions,
  | 'info'
  | 'capabilities'
  | 'answer'
  | 'told'
  | 'onRestored'
  | 'firstRevision'
  | 'signal'
  | keyof Pick<ConnectOptions, 'onLog'>
>

/** The server behind a bridge. */
export interface Upstream {
  /** A URL, a command, a server in this process, or a function that opens a channel. */
  target: Target
  connect?: UpstreamOptions
}

/** The server, or a function that returns it for a client, to act with the client's rights. */
export type UpstreamSource = Upstream | ((caller: Caller) => Upstream | Promise<Upstream>)

/** An event on the server's side of a bridge. */
export type BridgeEvent =
  | { kind: 'opened'; server: string | undefined; revision: Revision }
  | { kind: 'restarted' }
  /** The server could not be reached or started. The client gets an error too. */
  | { kind: 'failed'; error: unknown }
  /** The server ended by itself. Calls in flight have failed; if `session` is true, so will the later calls of that session. */
  | { kind: 'lost'; reason: McpError; session: boolean }

export interface BridgeOptions {
  /** The name of the bridge, for clients of a server without a name. */
  name?: string
  version?: string
  /** The revisions that clients may speak. Default: all. */
  revisions?: readonly Revision[]
  /** Connections to the server at once: one for each session, and those of stateless clients. Default 100. */
  maxConnections?: number
  /**
   * Stateless clients share connections to the server, which outlive them: for the programs of one user, on a socket that is
   * only theirs. Otherwise each client connection has its own. Default: false.
   */
  shared?: boolean
  /** How long an unused connection of stateless clients is kept. Default 5 min. */
  idleMs?: number
  /** How long a call waits for the input of a stateless client. Default 10 min. */
  answerMs?: number
  /** Calls that wait for input at once. Default 1,000. */
  maxWaiting?: number
  /** Keys that seal `requestState`; bridges that answer for each other share them. Default: a random key. */
  stateKeys?: readonly StateKey[]
  limits?: ServerLimits
  /**
   * Hides every tool, prompt, resource and template for which it returns false: lists lack it, and a request for it gets the
   * error of an unknown name. Methods of extensions are refused then, because they may reach anything.
   */
  offers?: OfferFilter
  onEvent?: (event: BridgeEvent) => void
  onError?: (error: unknown, report: ErrorReport) => void
}

/** The bounds, with every default filled in. */
export interface Bounds {
  readonly maxConnections: number
  readonly idleMs: number
  readonly answerMs: number
  readonly maxWaiting: number
  readonly maxSubscriptions: number
}

export const boundsOf = ({
  maxConnections = 100,
  idleMs = 300_000,
  answerMs = 600_000,
  maxWaiting = 1_000,
  limits: { maxSubscriptions = 1_000 } = {},
}: BridgeOptions): Bounds => ({ maxConnections, idleMs, answerMs, maxWaiting, maxSubscriptions })
