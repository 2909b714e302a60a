import type { McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { Sink } from './channel.ts'
import type { IncomingRequest } from './incoming.ts'
import type { JsonObject, Notification, RequestId, WireError } from './message.ts'

/** The part of a peer that needs to know the meaning of messages, for the layer above. */
export interface PeerDelegate {
  /** Answers a request. Exceptions go through `toWireError`. */
  request(request: IncomingRequest): MaybePromise<JsonObject>
  notification(notification: Notification, sink: Sink): void
  /** A request that was sent is given up (timeout or abort); the peer may be notified. */
  abandoned(id: RequestId, method: string, reason: McpError): void
  /** Converts an exception to the error that the peer may see. */
  toWireError(thrown: unknown, request: IncomingRequest): WireError
  /** A message without a place arrived: nonsense, an unknown id, an error without a request. */
  protocolError(error: Error): void
  /** The peer sends no more requests, and all earlier ones are finished: end everything that would stay open. */
  draining?(): void
  closed(reason: McpError): void
  /** Whether an array is a message at this moment. */
  batches(): boolean
  /** Whether an error without an id may be sent. */
  errorsWithoutId(): boolean
  /** Whether input that does not even claim to be JSON-RPC gets an error: not if programs print to the channel. */
  answersForeign(): boolean
}

export interface PeerOptions {
  /** Requests of the peer in flight at once; more are refused. Default 2,048. */
  maxIncoming?: number
  /** Methods that are answered even if too many requests are in flight: pings. Default: none. */
  urgent?: ReadonlySet<string>
  /** Requests of this side in flight at once; more wait for their turn. Default 1,024. */
  maxOutgoing?: number
  /** Messages in one batch. Default 100. */
  maxBatch?: number
  /** Default 60 s. */
  timeoutMs?: number
  /** Default 10 min. */
  maxTotalMs?: number
  /** How long requests in flight may continue after the peer ended its half of the channel. Default 1 s. */
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

/** The reason to refuse an array as a batch; undefined if it is one. */
export function refuseBatchOf(
  messages: readonly unknown[],
  batches: boolean,
  maxBatch: number = peerDefaults.maxBatch,
): string | undefined {
  if (!batches) return 'batches are not part of the protocol revision in use'
  if (messages.length === 0) return 'an empty batch'
  return messages.length > maxBatch ? `a batch of ${messages.length} messages, the limit is ${maxBatch}` : undefined
}
