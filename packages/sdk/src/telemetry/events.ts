import type { RequestId } from '../jsonrpc/message.ts'
import type { Implementation } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'
import type { TraceContext } from './trace-context.ts'

/**
 * Who does what with a request: a server answers it (`server.request`) or makes one (`server.ask`), a client makes it
 * (`client.request`) or answers one (`client.answer`).
 */
export type RequestKind = 'server.request' | 'server.ask' | 'client.request' | 'client.answer'

/** What both kinds of event know about the other side. */
export interface Whereabouts {
  /** The protocol revision in use, once it is known. */
  revision: Revision | undefined
  /** Who the other side says it is, once it has. */
  readonly peer: Implementation | undefined
  /** `stdio`, `memory`, `http`, … */
  readonly transport: string | undefined
  /** The session, where the transport has one. */
  readonly session: string | undefined
  /** Where a client is connected to: a host with a port, or the path of a socket. */
  readonly address?: string | undefined
  readonly port?: number | undefined
}

/** A request from its beginning to its end: one object, whose last members are set when it ends. */
export interface RequestEvent extends Whereabouts {
  readonly kind: RequestKind
  readonly method: string
  readonly id: RequestId
  /** The tool or the prompt that is asked for. */
  readonly name: string | undefined
  /** The resource that is asked for. */
  readonly uri: string | undefined
  /** As they travel, and as unchecked as they came. */
  readonly params: unknown
  /** What came with the request; of a request that is made, what is sent with it unless its maker has said otherwise. */
  trace: TraceContext | undefined
  /** Set at the end. */
  durationMs?: number
  /** Set if it failed: the code of the error that was sent or received, `tool_error`, or what happened instead. */
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
  /** Set if it did not simply end. */
  readonly errorType?: string
}
