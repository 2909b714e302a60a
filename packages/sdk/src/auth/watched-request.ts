/** What a request of authorization is for. */
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
  /** Fires when nobody waits for the token any more. */
  signal: AbortSignal | undefined
}

/** What came back, with its secrets. */
export interface OAuthReply {
  /** Where it came from in the end: redirects within the origin are followed. */
  url: string
  status: number
  headers: Headers
  text: string
}

/** Hears of a request before it is sent, which waits for it; what it returns hears of the reply, or why there is none. */
export type OnOAuthRequest = (request: OAuthRequest) => MaybeOnReply | Promise<MaybeOnReply>
// biome-ignore lint/suspicious/noConfusingVoidType: whoever has nothing to say about the reply returns nothing.
type MaybeOnReply = ((outcome: OAuthReply | Error) => void) | undefined | void
