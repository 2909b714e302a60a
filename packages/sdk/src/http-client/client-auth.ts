import type { HeaderRecord } from './http-options.ts'

/** A request to a server, as far as credentials depend on it. */
export interface AuthRequest {
  readonly method: string
  /** Where the request goes. */
  readonly url: URL
  /** The server that was connected to. */
  readonly server: URL
  /** Fires when nobody waits for the request any more. */
  readonly signal: AbortSignal
}

/** A request that was refused with HTTP 401 or 403. */
export interface AuthChallenge extends AuthRequest {
  readonly status: number
  /** The header `WWW-Authenticate`. */
  readonly wwwAuthenticate: string | undefined
  /** The headers that went with the request. */
  readonly sent: HeaderRecord
  /** How often this request was refused before. */
  readonly refusals: number
}

/** What comes before the body of a reply. */
export interface AuthReply {
  readonly status: number
  /** The value of a header, whose name is given in lower case. */
  header(name: string): string | undefined
}

/** Finds the credentials for requests over HTTP. `oauth` of `@tenon/sdk/auth` makes one. */
export interface ClientAuth {
  /** The headers that go with a request. */
  headers(request: AuthRequest): HeaderRecord | Promise<HeaderRecord>
  /** Called for HTTP 401 and 403: true if the request shall be sent again, with what `headers` then returns. */
  challenged(challenge: AuthChallenge): boolean | Promise<boolean>
  /** Sees the beginning of every reply. */
  answered?(request: AuthRequest, reply: AuthReply): void
  /** The extensions of the protocol that it speaks, declared to servers. */
  readonly extensions?: readonly string[]
}
