import type { McpError } from '../errors.ts'
import type { Sink } from './channel.ts'
import type { IncomingRequest } from './incoming.ts'
import type { JsonObject, Notification, RequestId, WireError } from './message.ts'

/** What a peer does for the layer above: everything that needs to know what the messages mean. */
export interface PeerDelegate {
  /** Answers a request. What it throws goes through `toWireError`. */
  request(request: IncomingRequest): JsonObject | Promise<JsonObject>
  notification(notification: Notification, sink: Sink): void
  /** A request that was sent is given up (timeout or abort); the other side may be told. */
  abandoned(id: RequestId, method: string, reason: McpError): void
  /** Decides what the other side may see of an exception. */
  toWireError(thrown: unknown, request: IncomingRequest): WireError
  /** Something arrived that has no place: nonsense, an unknown id, an error without a request. */
  protocolError(error: Error): void
  /** The other side asks nothing more, and what it asked before is finished: end what would go on by itself. */
  draining?(): void
  closed(reason: McpError): void
  /** Whether an array is a message at this moment. */
  batches(): boolean
  /** Whether an error may be sent that has no id. */
  errorsWithoutId(): boolean
  /** Whether input that does not even claim to be JSON-RPC gets an error: not where programs print to the channel. */
  answersForeign(): boolean
}

export interface PeerOptions {
  /** Requests of the other side that may be in work at once; more are refused. Default 2,048. */
  maxIncoming?: number
  /** Methods that are answered even if too many requests are in work: signs of life. Default: none. */
  urgent?: ReadonlySet<string>
  /** Requests of ours that may be in flight at once; more wait for their turn. Default 1,024. */
  maxOutgoing?: number
  /** Messages in one batch. Default 100. */
  maxBatch?: number
  /** Default 60 s. */
  timeoutMs?: number
  /** Default 10 min. */
  maxTotalMs?: number
  /** How long requests in work may go on after the other side ended its half of the channel. Default 1 s. */
  drainMs?: number
}

export const peerDefaults: Required<PeerOptions> = {
  maxIncoming: 2_048,
  urgent: new Set(),
  maxOutgoing: 1_024,
  maxBatch: 100,
  timeoutMs: 60_000,
  maxTotalMs: 600_000,
  drainMs: 1_000,
}
