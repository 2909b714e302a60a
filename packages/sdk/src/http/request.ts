import type { Budget, Hold } from '../internal/budget.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { Text } from '../transport/cached-text.ts'
import type { RequestTarget } from './request-target.ts'

/** Header fields of an answer, by lower-case name. */
export type ReplyHeaders = { [name: string]: string }

/** A request body, or why it was not read: too large, too slow, or no memory left for it. */
export type RequestBody = { text: string; hold?: Hold | undefined } | { value: unknown } | { status: 408 | 413 | 503 }

/** Bodies that are larger are counted even if they come in one piece, and measured before they are acted on. */
export const largeBodyBytes: number = 64 * 1024

export interface BodyLimits {
  readonly maxBodyBytes: number
  readonly bodyTimeoutMs: number
  /** Counts bodies that take time to arrive. */
  readonly budget: Budget
}

/** A request, as far as the endpoint looks at it: the same on every platform. */
export interface HttpRequest {
  readonly method: string
  /** Path and query. A request whose target is not in normal form is answered with 400 before any check. */
  readonly target: RequestTarget
  /** True if the connection ended at a loopback address; undefined where the platform does not say. */
  readonly onLoopback?: boolean | undefined
  /** True if a header came more than once that must come once, and the platform dropped all but one. */
  readonly ambiguous?: boolean
  /** The platform's own request: `IncomingMessage` or `Request`. */
  readonly raw: unknown
  /** A header field by its lower-case name. */
  header(name: string): string | undefined
  /** Reads the body, once. A promise, so that handlers run in the async context of the caller. */
  readBody(limits: BodyLimits): Promise<RequestBody>
}

/** A request before any check: its target is undefined if that is not in normal form, and may still be unified. */
export interface UncheckedRequest extends Omit<HttpRequest, 'target'> {
  target: RequestTarget | undefined
}

export const hasTarget = (request: UncheckedRequest): request is HttpRequest => request.target !== undefined

/** The way back. Exactly one of `send` and `stream` is called, once. */
export interface HttpReply {
  /** Answers at once. */
  send(status: number, headers: ReplyHeaders, body?: Text): void
  /** Answers 200 with a stream. */
  stream(headers: ReplyHeaders): ReplyStream
  /** True while clients have left so many answers unread that no more shall be made. */
  readonly crowded?: boolean
  /** A promise while the client has not read enough of the earlier answers on its connection; of false if it left. */
  room?(): Promise<boolean> | undefined
  /** Called once if the client goes away before the answer is complete. */
  onGone(listener: () => void): void
}

export interface ReplyStream {
  /** Returns a promise only while the client reads slower than is written. Writes after the end are dropped. */
  write(text: Text): MaybePromise<void>
  end(): void
}
