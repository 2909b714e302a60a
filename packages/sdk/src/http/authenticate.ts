import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { AuthInfo } from '../jsonrpc/auth-info.ts'
import type { HttpRequest, ReplyHeaders } from './request.ts'

/** The answer to a caller without valid credentials: usually 401 with a `www-authenticate` challenge. */
export interface AuthRefusal {
  status: number
  headers?: ReplyHeaders
  message?: string
}

/** Returns the caller of a request. Undefined refuses it with 401. */
export interface Authenticate {
  /** `path` is the option of that name. */
  (request: HttpRequest, path?: string): MaybePromise<AuthInfo | AuthRefusal | undefined>
  /** Answers public requests, such as those for metadata; undefined leaves a request to the endpoint. */
  answerAnybody?(request: HttpRequest, path?: string): OpenAnswer | undefined
  /**
   * The headers of a 403 to an authenticated caller that lacks scopes. Default: a challenge that names the scopes.
   */
  challengeScopes?(
    request: HttpRequest,
    scopes: readonly string[],
    auth: AuthInfo | undefined,
    path?: string,
  ): ReplyHeaders
  /**
   * Calls `ended` when the credentials of a caller have expired: the stream that was opened with them then ends. The
   * returned function stops watching.
   */
  watch?(request: HttpRequest, auth: AuthInfo, ended: () => void): () => void
}

/** An answer to anybody. */
export interface OpenAnswer {
  status: number
  headers: ReplyHeaders
  body?: string
}
