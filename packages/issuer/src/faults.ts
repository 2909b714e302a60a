/** Faults of an issuer on purpose, for tests of clients and servers. */
export interface Faults {
  /** Access tokens have expired when they are issued, while `expires_in` says otherwise. */
  expiredTokens?: boolean
  /** Access tokens are for another resource. */
  wrongAudience?: boolean
  /** Access tokens are signed by a key that is not published. */
  badSignature?: boolean
  /** Authorization responses name another issuer (`wrong`), or none. */
  badIss?: 'wrong' | 'missing'
  /** Clients cannot register. */
  noRegistration?: boolean
  /** The metadata does not say that PKCE is supported. */
  noPkce?: boolean
  /** No refresh tokens. */
  noRefresh?: boolean
  /** Scopes that a client gets only the second time its user agrees, so that a server has to ask for them. */
  stepUp?: readonly string[]
  /** Error codes for the next token requests, one each. */
  tokenErrors?: string[]
}
