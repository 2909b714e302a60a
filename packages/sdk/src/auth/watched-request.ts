import type { MaybePromise } from '../internal/maybe-promise.ts'

/** The purpose of a request for authorization. */
export type OAuthPurpose =
  | 'resource-metadata'
  | 'issuer-metadata'
  | 'registration'
  | 'device-code'
  | 'token'
  | 'revocation'

type Headers = { [name: string]: string }

/** A request of authorization, with its secrets. */
export interface OAuthRequest {
  purpose: OAuthPurpose
  method: 'GET' | 'POST'
  url: string
  headers: Headers
  body: string | undefined
  /** Fires when no request waits for the token any more. */
  signal: AbortSignal | undefined
}

/** The reply, with its secrets. */
export interface OAuthReply {
  /** The URL after redirects within the origin. */
  url: string
  status: number
  headers: Headers
  text: string
}

/** Called before a request is sent, which waits for it; the returned function is called with the reply or the error. */
export type OnOAuthRequest = (request: OAuthRequest) => MaybePromise<MaybeOnReply>
// biome-ignore lint/suspicious/noConfusingVoidType: whoever has nothing to say about the reply returns nothing.
type MaybeOnReply = ((outcome: OAuthReply | Error) => void) | undefined | void
