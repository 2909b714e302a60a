import type { JWK } from 'jose'
import type { User } from '../options.ts'

export interface Expiring {
  /** ms since 1970. */
  expiresAt: number
}

export type ClientMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt'

/** A client, wherever it is known from. */
export interface KnownClient {
  id: string
  name: string
  /** The operator vouches for configured clients only. */
  kind: 'configured' | 'registered' | 'document'
  redirectUris: readonly string[]
  grantTypes: readonly string[]
  method: ClientMethod
  secretHash?: string
  keys?: readonly JWK[]
  jwksUri?: string
  /** The most it gets without a user. */
  scopes?: readonly string[]
  dpopBound: boolean
}

/** A client that registered itself. */
export interface RegisteredClient extends KnownClient {
  kind: 'registered'
  registeredAt: number
  /** When somebody agreed to it, now and then. */
  seenAt?: number
}

/** The consent of a user, and its tokens. When it ends, all of them end. */
export interface GrantRecord extends Expiring {
  id: string
  clientId: string
  user: User
  scopes: readonly string[]
  resource: string
  /** When the user agreed, in seconds since 1970. */
  agreedAt: number
  /** The hash of the code that it began with: a second use of the code ends the grant. */
  code?: string
  /** The hash of the secret part that all its refresh tokens share. */
  family?: string
  /** The hash of the refresh token that is good. */
  refresh?: string
  /** The refresh token before that: its hash, the time of its use, and the salt of the next one. */
  used?: { hash: string; salt: string; at: number }
  /** The key that refresh tokens belong to. */
  jkt?: string
}

/** A valid authorization request. */
export interface AuthorizationRequest {
  client: KnownClient
  redirectUri: string
  state: string | undefined
  scopes: readonly string[]
  resource: string
  challenge: string
  nonce: string | undefined
  /** The key that the code is bound to (RFC 9449 section 10). */
  jkt: string | undefined
}

/** A code that has not been used. */
export interface Code extends Expiring {
  request: AuthorizationRequest
  user: User
  scopes: readonly string[]
}

/** A consent page that was shown. */
export interface Ticket<Asked = AuthorizationRequest> extends Expiring {
  request: Asked
  /** The hash of the browser's cookie. */
  browser: string
  /** The user that it was shown to, unless the page asks. */
  subject: string | undefined
}

/** A user on the way through the identity provider. */
export interface Hop extends Expiring {
  request: AuthorizationRequest
  browser: string
  verifier: string
  nonce: string
}

/** A device that waits for its user. */
export interface Device extends Expiring {
  client: KnownClient
  userCode: string
  scopes: readonly string[]
  resource: string
  /** It may ask again after this. */
  nextPollAt: number
  intervalMs: number
  answer?: User | 'denied'
}

export interface RevokedToken extends Expiring {
  jti: string
}

/** The state that outlives a restart. */
export interface SavedState {
  version: 1
  keys: JWK[]
  clients: RegisteredClient[]
  grants: GrantRecord[]
  revoked: RevokedToken[]
}
