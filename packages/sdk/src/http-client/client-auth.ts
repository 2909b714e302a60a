import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { HeaderRecord } from './http-options.ts'

/** A request to a server, as far as credentials depend on it. */
export interface AuthRequest {
  readonly method: string
  /** The target of the request. */
  readonly url: URL
  /** The server that was connected to. */
  readonly server: URL
  /** Fires when the request is given up. */
  readonly signal: AbortSignal
}

/** A request that was refused with HTTP 401 or 403. */
export interface AuthChallenge extends AuthRequest {
  readonly status: number
  /** The header `WWW-Authenticate`. */
  readonly wwwAuthenticate: string | undefined
  /** The headers of the request. */
  readonly sent: HeaderRecord
  /** How often this request was refused before. */
  readonly refusals: number
}

/** The head of a reply. */
export interface AuthReply {
  readonly status: number
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined
}

/** Provides the credentials for requests over HTTP. `oauth` of `@tenon/sdk/auth` makes one. */
export interface ClientAuth {
  /** The headers to send with a request. */
  headers(request: AuthRequest): MaybePromise<HeaderRecord>
  /** Called for HTTP 401 and 403: true to send the request again, with the new result of `headers`. */
  challenged(challenge: AuthChallenge): MaybePromise<boolean>
  /** Called with the head of every reply. */
  answered?(request: AuthRequest, reply: AuthReply): void
  /** The protocol extensions that it supports, declared to servers. */
  readonly extensions?: readonly string[]
}
