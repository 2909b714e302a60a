import type { McpError } from '../errors.ts'
import type { Budget } from '../internal/budget.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { AuthInfo } from './auth-info.ts'
import type { Payload, RequestId } from './message.ts'

/** Sends payloads, in order. */
export interface Sink {
  /**
   * The token of the HTTP request that this sink answers: it authorizes the messages of the request, and everything
   * sent into the sink. Absent if a connection is authenticated as a whole, or not at all.
   */
  readonly auth?: AuthInfo | undefined
  /**
   * Returns a promise only while the peer is slow: large producers wait for it. Throws (or rejects with) an `McpError`
   * `closed` once nothing can be sent any more.
   */
  send(payload: Payload): MaybePromise<void>
  /** Called in place of an answer: see `MessageSink`. */
  unanswered?(reason?: McpError): void
}

/**
 * Sends everything about one received request or batch. The receiver ends it exactly once: with the answer (to a batch,
 * with all answers in one payload), or with `unanswered`. Until then the sender of the request may be waiting.
 */
export interface MessageSink extends Sink {
  /** No answer will follow: every request was cancelled, or the connection ended. Without a reason there was no request. */
  unanswered(reason?: McpError): void
}

/** The peer of a channel, for observers. */
export interface ChannelInfo {
  /** `stdio`, `memory`, `http`, … */
  readonly transport: string
  /** A host with a port, or the path of a socket. */
  readonly address?: string
  readonly port?: number
  /** The session of the messages, if the transport has sessions. */
  readonly session?: string | undefined
}

/**
 * Carries messages both ways: stdio, sockets, memory. It frames, and knows no method names.
 *
 * A channel has one owner. `open` is called once; messages that arrived earlier are delivered then, in order.
 */
export interface Channel extends Sink {
  /** True if answers can still be sent after the peer ended its half: requests in flight are then finished first. */
  readonly sendsAfterEnd?: boolean
  readonly about?: ChannelInfo | undefined
  /** If opening the channel starts the peer: resolves with the first sign of it. */
  readonly firstSign?: Promise<void> | undefined
  /** True if every request has a stream of its own, on which it is answered: over HTTP. */
  readonly streamPerRequest?: boolean
  /** Begins the ids of requests of this side, if answers have to be told from those to other processes. */
  readonly idPrefix?: string | undefined
  /** The request that a payload cancels without being sent, for observers: closing its stream cancels it here. */
  withdraws?(payload: Payload): RequestId | undefined
  /** Counts the bytes that wait in the channel, in half a message or in unread answers. Called once, by a server. */
  useBudget?(budget: Budget): void
  /** False if another process has the stream for messages that belong to no request, and tells the peer of changes. */
  readonly hears?: boolean
  /** Keeps a change of the state that the peer has set, for the processes that share its session. */
  keep?(change: KeptChange): MaybePromise<void>
  open(receiver: Receiver): void
  /** Ends the channel, in bounded time. All calls share one promise. */
  close(): Promise<void>
}

/** A change of the state that a peer has set, as plain data. */
export type KeptChange = { readonly [member: string]: string | number }

/** The receiving side of a channel. Its methods are called one at a time and must not throw. */
export interface Receiver {
  /**
   * A parsed JSON value: a message, a batch, or nonsense. If it came on a stream of its own, its answer and all related
   * messages go into `sink`, and not into the channel. `during` is the request of this side on whose stream it came. `text`
   * is the JSON that it was read from, for observers.
   */
  receive(value: unknown, sink?: MessageSink, during?: RequestId, text?: string): void
  /** Input that never became a JSON value, and its beginning, for observers. */
  refuse(refusal: Refusal, input?: RefusedInput): void
  /** A request that was sent will not be answered; with the beginning of the input that came in place of an answer. */
  failed?(id: RequestId, error: Error, input?: RefusedInput): void
  /** A request is not sent yet: its timeout starts anew. */
  delayed?(id: RequestId): void
  /** The peer is gone; called exactly once, last. `reason` is set if it did not end normally. */
  closed(reason?: Error): void
}

/** The reason to refuse a piece of input; answered as a JSON-RPC error if the revision allows it. */
export interface Refusal {
  code: number
  message: string
  /** The id of the refused message, if it could be read. */
  id?: RequestId
  /** The kind of the refused message, if it could be read. */
  kind?: 'request' | 'response'
  /** It exceeds a limit of this side, so its sender is not at fault. */
  tooLarge?: boolean
}

/** Input that was refused, as far as it was read. */
export interface RefusedInput {
  /** Its length. */
  bytes: number
  /** Its first characters, at most 4,096. */
  start: string
}

/** The side of a connection that sends a message. */
export type Side = 'client' | 'server'
