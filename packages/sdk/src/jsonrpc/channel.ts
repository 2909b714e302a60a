import type { McpError } from '../errors.ts'
import type { Budget } from '../internal/budget.ts'
import type { AuthInfo } from './auth-info.ts'
import type { Payload, RequestId } from './message.ts'

/** Takes payloads, in order. */
export interface Sink {
  /**
   * The token of the HTTP request that this sink answers: messages that came with the request, and whatever is sent into
   * the sink, are judged by it. Absent where a connection is authenticated as a whole, or not at all.
   */
  readonly auth?: AuthInfo | undefined
  /**
   * Returns a promise only while the other side is slow: who produces a lot waits for it. Throws (or rejects with) an
   * `McpError` `closed` once nothing can be sent any more.
   */
  send(payload: Payload): void | Promise<void>
  /** Told in place of an answer: see `MessageSink`. */
  unanswered?(reason?: McpError): void
}

/**
 * Takes everything that belongs to one received request or batch. The receiver ends it exactly once: with the answer (to a
 * batch, with all answers in one payload), or with `unanswered`. Until then the sender of the request may be waiting.
 */
export interface MessageSink extends Sink {
  /** No answer will follow: every request was cancelled, or the connection ended. Without a reason there was no request. */
  unanswered(reason?: McpError): void
}

/** Where a channel leads to, for those who watch. */
export interface ChannelInfo {
  /** `stdio`, `memory`, `http`, … */
  readonly transport: string
  /** A host with a port, or the path of a socket. */
  readonly address?: string
  readonly port?: number
  /** The session that the messages belong to, where the transport has such a thing. */
  readonly session?: string | undefined
}

/**
 * Carries messages both ways: stdio, sockets, memory. It frames, and knows no method names.
 *
 * A channel is used by one owner. `open` is called once; what arrived earlier is delivered then, in order.
 */
export interface Channel extends Sink {
  /** True if answers can still be sent after the other side ended its half: what is in work is then finished first. */
  readonly sendsAfterEnd?: boolean
  readonly about?: ChannelInfo | undefined
  /** Where opening the channel starts the other side: resolves with the first thing that is seen of it. */
  readonly firstSign?: Promise<void> | undefined
  /** The request that a payload cancels without being sent, for those who watch: here, closing its stream says as much. */
  withdraws?(payload: Payload): RequestId | undefined
  /** Counts what waits in the channel, be it half a message or an answer that nobody reads. Called once, by a server. */
  useBudget?(budget: Budget): void
  open(receiver: Receiver): void
  /** Ends the channel, in bounded time. Any number of calls, from anywhere, end in the same promise. */
  close(): Promise<void>
}

/** The receiving side of a channel. Its methods are called one at a time and must not throw. */
export interface Receiver {
  /**
   * A parsed JSON value: a message, a batch, or nonsense. If it came on a stream of its own, its answer and everything
   * else about it goes into `sink`, and not into the channel. `during` is the request of this side on whose stream it came.
   */
  receive(value: unknown, sink?: MessageSink, during?: RequestId): void
  /** Input that never became a JSON value. */
  refuse(refusal: Refusal): void
  /** A request that was sent will not be answered, for a reason that is known here. */
  failed?(id: RequestId, error: Error): void
  /** A request is not on its way yet, for a reason that is known here: waiting for its answer starts anew. */
  delayed?(id: RequestId): void
  /** The other side is gone; called exactly once, last. `reason` is set when it did not simply end. */
  closed(reason?: Error): void
}

/** Why a piece of input was not taken; to be answered as a JSON-RPC error where the revision allows it. */
export interface Refusal {
  code: number
  message: string
  /** The id of the refused message, where it could be read. */
  id?: RequestId
  /** What the refused message was, where it could be told. */
  kind?: 'request' | 'response'
}
