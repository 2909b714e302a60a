import type { RequestId } from '../jsonrpc/message.ts'
import type { Implementation } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'
import type { TraceContext } from './trace-context.ts'

/**
 * The role in a request: a server answers it (`server.request`) or makes one (`server.ask`), a client makes it
 * (`client.request`) or answers one (`client.answer`).
 */
export type RequestKind = 'server.request' | 'server.ask' | 'client.request' | 'client.answer'

/** The peer and the transport, in both kinds of event. */
export interface Whereabouts {
  /** The protocol revision in use, once it is known. */
  revision: Revision | undefined
  /** The peer's name and version, once received. */
  readonly peer: Implementation | undefined
  /** `stdio`, `memory`, `http`, … */
  readonly transport: string | undefined
  /** The session, if the transport has one. */
  readonly session: string | undefined
  /** The server's address: a host with a port, or the path of a socket. */
  readonly address?: string | undefined
  readonly port?: number | undefined
}

/** A request from its beginning to its end: one object, whose last members are set when it ends. */
export interface RequestEvent extends Whereabouts {
  readonly kind: RequestKind
  readonly method: string
  readonly id: RequestId
  /** The requested tool or prompt. */
  readonly name: string | undefined
  /** The requested resource. */
  readonly uri: string | undefined
  /** As they travel, unchecked. */
  readonly params: unknown
  /** The trace context of the request; for an outgoing request, the one to send unless its `_meta` has its own. */
  trace: TraceContext | undefined
  /** Set at the end. */
  durationMs?: number
  /** Set if it failed: the code of the error that was sent or received, `tool_error`, or the kind of failure. */
  errorType?: string
  /** Set by `diagnostics_channel` at the end. */
  result?: unknown
  error?: unknown
}

/** A connection began or ended. */
export interface ConnectionEvent extends Whereabouts {
  readonly side: 'client' | 'server'
  readonly phase: 'opened' | 'closed'
  /** How long it lasted; set at the end. */
  readonly durationMs?: number
  /** Why it ended; set at the end. */
  readonly reason?: Error
  /** Set if it did not end normally. */
  readonly errorType?: string
}

/** An operation on a store that processes share, as `@tenon/redis` and `@tenon/postgres` publish it on `tenon:store`. */
export interface StoreEvent {
  /** The name of the database by the conventions of OpenTelemetry: `redis`, `postgresql`. */
  readonly system: string
  /** One of few names. */
  readonly operation: string
  /** The host, or the path of a socket. */
  readonly address: string
  readonly port?: number | undefined
  readonly durationMs: number
  /** Set if it failed. */
  readonly errorType?: string | undefined
}
