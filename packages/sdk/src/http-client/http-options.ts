import type { MaybePromise } from '../internal/maybe-promise.ts'
import { maxServerMessageBytes } from '../jsonrpc/limits.ts'
import type { ClientAuth } from './client-auth.ts'
import type { HttpDispatcher } from './engines/dispatcher-engine.ts'
import type { HttpEvent } from './http-events.ts'

/** Headers for every request: fixed ones, or a function that is called each time. */
export type HeaderSource = HeaderRecord | (() => MaybePromise<HeaderRecord>)
export type HeaderRecord = { [name: string]: string }

/** The state of the stream for messages that a server of an older revision sends by itself. */
export type StreamState =
  /** The server offers none, or the revision has none. */
  | { kind: 'none' }
  | { kind: 'open' }
  /** It broke; the next attempt follows. */
  | { kind: 'waiting'; attempt: number; delayMs: number; reason: Error }
  | { kind: 'closed' }

/** Options for servers over HTTP. */
export interface HttpClientOptions {
  /** Sent with every request, such as `Authorization`. Headers of the protocol cannot be replaced. */
  headers?: HeaderSource
  /** Obtains credentials, and answers challenges of servers: `oauth(...)` of `@tenon/sdk/auth`. */
  auth?: ClientAuth
  /** Replaces the built-in HTTP client. On Node the built-in one is several times faster than global `fetch`. */
  fetch?: typeof fetch
  /** On Node: the `Agent` of `node:http` or `node:https` to use, for proxies, client certificates or own authorities. */
  agent?: object
  /** On Node: an `Agent` or `Pool` of undici 7 to use in place of `node:http`. It costs half as much where many requests are under way. */
  dispatcher?: HttpDispatcher
  /** Called whenever the state of that stream changes. */
  onStream?: (state: StreamState) => void
  /** Called for every HTTP request and its reply, without credentials: for observers and recorders. */
  onHttp?: (event: HttpEvent) => void
  httpLimits?: HttpClientLimits
}

/** Bounds on the memory and time that a server can cost this side. */
export interface HttpClientLimits {
  /** Bytes of one JSON reply, and characters of one event of a stream. 16 Mi. */
  maxMessageBytes?: number
  /** How deep JSON may nest. 64. */
  maxDepth?: number
  maxRedirects?: number
  /** How long a connection may take to be made, on Node. 10 s. */
  connectTimeoutMs?: number
  /** How long the server may take to accept a notification, and to open a stream of the oldest revision. 15 s. */
  acceptTimeoutMs?: number
  /** How long `close` waits for the server to end the session. 1.5 s. */
  closeTimeoutMs?: number
  /** The pause before a stream is opened again, unless the server names one; doubles up to `maxReconnectMs`. 1 s. */
  reconnectMs?: number
  /** 30 s. */
  maxReconnectMs?: number
  /** Consecutive attempts, without an event, to continue the broken stream of an answer. 5. */
  maxResumptions?: number
}

export const httpDefaults: Required<HttpClientLimits> = {
  maxMessageBytes: maxServerMessageBytes,
  maxDepth: 64,
  maxRedirects: 5,
  connectTimeoutMs: 10_000,
  acceptTimeoutMs: 15_000,
  closeTimeoutMs: 1_500,
  reconnectMs: 1_000,
  maxReconnectMs: 30_000,
  maxResumptions: 5,
}
