import type { HttpReply, HttpRequest, ReplyHeaders } from '../http/request.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { PeerOptions } from '../jsonrpc/peer-options.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { Dispatcher } from '../server/dispatch/dispatcher.ts'
import type { KeepAliveTimer } from './keep-alive.ts'
import type { HttpSettings } from './options.ts'
import type { RequestSlot } from './request-slots.ts'

/** An HTTP request on its way through the endpoint. */
export interface HttpExchange {
  readonly request: HttpRequest
  readonly reply: HttpReply
  readonly settings: HttpSettings
  /** Headers of every answer to this request. */
  readonly headers: ReplyHeaders | undefined
  auth: AuthInfo | undefined
  /** Taken before the body is read, and held until the answer is complete, or will not come. */
  slot: RequestSlot | undefined
}

/** A POST, which has a slot. */
export interface PostExchange extends HttpExchange {
  slot: RequestSlot
}

/** The parts of an endpoint that its transports share. */
export interface TransportContext {
  readonly dispatcher: Dispatcher
  readonly settings: HttpSettings
  readonly keepAlive: KeepAliveTimer
  /** The bounds of one session, or of one HTTP+SSE connection. */
  readonly sessionLimits: PeerOptions
}

/** Numbers for monitoring and tests. */
export interface OpenCounts {
  sessions: number
  sse: number
  inFlight: number
  streams: number
  sessionStreams: number
  listens: number
}

/** One way to speak MCP over HTTP. The endpoint hands each request to the first transport that owns it. */
export interface HttpTransport {
  /** The `Allow` header of a 405. */
  readonly allow: string
  /** Why other methods are not allowed. */
  readonly why?: string
  readonly open: Partial<OpenCounts>
  /** `message` is the body of a POST. */
  owns(request: HttpRequest, message: unknown): boolean
  /** Whether the head of a request shows that every process can answer it, without any earlier request. */
  answersAnywhere?(request: HttpRequest): boolean
  /** Returns a promise if the answer is not complete yet. */
  post(exchange: PostExchange, message: unknown): MaybePromise<void>
  get?(exchange: HttpExchange): MaybePromise<void>
  delete?(exchange: HttpExchange): MaybePromise<void>
  /** Ends the streams that stay open for as long as their clients like; requests in flight may still finish. */
  endStreams?(): Promise<unknown>
  close?(): Promise<void>
}
