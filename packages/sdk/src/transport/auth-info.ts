/** Who is authenticated, where the transport knows: by connection, or by the token of each HTTP request. */
export interface AuthInfo {
  /** Identifies the caller; two callers with the same principal may see each other's state. */
  readonly principal: string
  readonly scopes?: readonly string[]
  readonly [claim: string]: unknown
}
