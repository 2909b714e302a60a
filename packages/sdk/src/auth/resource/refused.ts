/**
 * The reason of a refusal.
 *
 * - `missing`: no access token came with it
 * - `malformed`: the header cannot be understood, or there is more than one token
 * - `unreadable`: the token is too long, or nothing that its issuer makes
 * - `algorithm`, `type`, `key`, `signature`: the signature of the token is not as required
 * - `issuer`, `audience`, `expired`, `not_yet`, `subject`: the claims of the token
 * - `inactive`: its issuer does not vouch for it
 * - `binding`: the token belongs to a key, and the request does not prove to hold it
 * - `proof`, `replay`, `nonce`: the DPoP proof
 * - `scope`: the token is good, and not good for this
 * - `limited`: too many failures from this address
 * - `unavailable`: the issuer cannot be reached
 */
export type RefusalReason =
  | 'missing'
  | 'malformed'
  | 'unreadable'
  | 'algorithm'
  | 'type'
  | 'key'
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not_yet'
  | 'subject'
  | 'inactive'
  | 'binding'
  | 'proof'
  | 'replay'
  | 'nonce'
  | 'scope'
  | 'limited'
  | 'unavailable'

/** A refused request, for logs and metrics. It never holds the token. */
export interface Refused {
  reason: RefusalReason
  status: number
  /** The expectation, and sometimes the finding. Not for the peer. */
  detail: string
  /** The subject of the token, once that is proven. */
  principal?: string
  /** The address of the client, if it is known. */
  address?: string
  cause?: unknown
}

/** Thrown on the way, and never seen outside. */
export class TokenRefused extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.reason = reason
  }
}

/** Failures with a token that its issuer made: no sign of guessing. */
export const isHonest = (reason: RefusalReason): boolean => honest.has(reason)

const honest: ReadonlySet<RefusalReason> = new Set([
  'missing',
  'audience',
  'expired',
  'not_yet',
  'nonce',
  'scope',
  'limited',
  'unavailable',
])

/** Failures that are about the token itself, so that nothing else may be open with it either. */
export const provesBad = (reason: RefusalReason): boolean => bad.has(reason)

const bad: ReadonlySet<RefusalReason> = new Set([
  'algorithm',
  'type',
  'key',
  'signature',
  'issuer',
  'audience',
  'expired',
  'subject',
  'inactive',
])
