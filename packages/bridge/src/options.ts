import type { ConnectOptions, McpError, Revision, Target } from '@tenon/sdk/client'
import type { RawClientOptions } from '@tenon/sdk/relay'
import type { Caller, ErrorReport, ServerLimits, StateKey } from '@tenon/sdk/server'

/** How to reach the server: what `connect` takes besides the callbacks, which are the client's. */
export type UpstreamOptions = Omit<
  RawClientOptions,
  'info' | 'capabilities' | 'answer' | 'told' | 'onRestored' | 'signal' | keyof Pick<ConnectOptions, 'onLog'>
>

/** The server behind a bridge. */
export interface Upstream {
  /** A URL, a command, a server in this process, or a function that opens a channel. */
  target: Target
  connect?: UpstreamOptions
}

/** The server, or a function that finds it for a client: to act there in the client's name. */
export type UpstreamSource = Upstream | ((caller: Caller) => Upstream | Promise<Upstream>)

/** Something that happened at the server's side of a bridge. */
export type BridgeEvent =
  | { kind: 'opened'; server: string | undefined; revision: Revision }
  | { kind: 'restarted' }
  /** The server could not be reached or started. Whoever wanted it hears so too. */
  | { kind: 'failed'; error: unknown }
  /** The server is gone, by itself. Calls in flight have failed, and so will those of the session, if it was one's. */
  | { kind: 'lost'; reason: McpError; session: boolean }

export interface BridgeOptions {
  /** Who the bridge says it is, where the server keeps that to itself. */
  name?: string
  version?: string
  /** The revisions that clients may speak. Default: all. */
  revisions?: readonly Revision[]
  /** Connections to the server at once: one for each session, and those of clients without. Default 100. */
  maxConnections?: number
  /** How long a connection of clients without sessions is kept when nobody uses it. Default 5 min. */
  idleMs?: number
  /** How long a call waits for a client that was asked something and has to come back. Default 10 min. */
  answerMs?: number
  /** Calls that wait for their client at once. Default 1,000. */
  maxWaiting?: number
  /** Seals what clients carry between rounds; bridges that answer for each other share them. Default: a random key. */
  stateKeys?: readonly StateKey[]
  limits?: ServerLimits
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
