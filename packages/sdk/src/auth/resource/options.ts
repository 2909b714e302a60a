import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { AuthInfo } from '../../jsonrpc/auth-info.ts'
import type { NetworkOptions } from '../guarded-fetch.ts'
import type { DpopOptions } from './dpop/dpop.ts'
import type { FailureOptions } from './failures.ts'
import type { Refused } from './refused.ts'
import type { ImpliedScopes } from './scopes.ts'
import type { TokenClaims } from './tokens/claims.ts'
import type { IntrospectionOptions } from './tokens/introspection.ts'

/** How the tokens of an issuer are checked. By default they are JWTs, and its metadata leads to its keys. */
export interface TokenChecks {
  /** The URL of the keys, for issuers without metadata. */
  jwksUri?: string
  /** Signature algorithms that are accepted, of those with public keys. Default: all of them. */
  algorithms?: readonly string[]
  /** The required header `typ` of tokens, such as `at+jwt`. Default: `at+jwt` or `JWT`, if there is one. */
  typ?: string
  /** Introspects every token at the issuer, for tokens that are no JWTs or that may be revoked. */
  introspection?: IntrospectionOptions
  /**
   * Reads the claims of a token in your own way; undefined refuses it. They are checked like the claims of any token,
   * except that an audience may be missing: the function answers for that then.
   */
  verify?: (token: string) => MaybePromise<TokenClaims | undefined>
}

export interface TokenIssuer extends TokenChecks {
  /** As it is written in `iss`. */
  issuer: string
}

export interface BearerOptions extends TokenChecks {
  /** The issuers whose tokens are accepted; clients are sent to the first one. */
  issuer: string | TokenIssuer | readonly (string | TokenIssuer)[]
  /** The URL of this server, as clients know it. Default: `audience`, if it is a URL, or the address on this machine. */
  resource?: string
  /** The accepted audiences, any of which a token has to name. Default: `resource`. */
  audience?: string | readonly string[]
  /** Scopes that every request needs, and that challenges name. */
  scopes?: readonly string[]
  /** Scopes to list in the metadata, as few as make basic use possible. Default: `scopes`. */
  scopesSupported?: readonly string[]
  impliedScopes?: ImpliedScopes
  /** Tokens that belong to a key (RFC 9449) are checked always; this makes them wanted. */
  dpop?: DpopOptions
  /** How many bad tokens an address may send; false: any number. */
  failures?: FailureOptions | false
  /** How far clocks may differ, in seconds. Default 5. */
  clockToleranceS?: number
  /** Default 8,192 characters. */
  maxTokenLength?: number
  /** More members of the metadata, such as `resource_name` or `resource_documentation`. */
  metadata?: { readonly [member: string]: unknown }
  /** Bounds of the requests to issuers. */
  network?: NetworkOptions
  /** Called with the reason of each refusal, which the client does not see. */
  onRefused?: (refused: Refused) => void
}

/** `ctx.auth` behind `bearer`. The token is not part of it: it is for this server and no other. */
export interface BearerAuth extends AuthInfo {
  /** Made of issuer and subject: two issuers may use the same name for different people. */
  principal: string
  /** The granted scopes, and those that they imply. */
  scopes: readonly string[]
  issuer: string
  /** Undefined for clients that act for themselves. */
  subject: string | undefined
  clientId: string | undefined
  claims: TokenClaims
}
