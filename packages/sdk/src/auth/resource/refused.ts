/**
 * Why a request was not let in.
 *
 * - `missing`: no access token came with it
 * - `malformed`: the header cannot be understood, or there is more than one token
 * - `unreadable`: the token is too long, or nothing that its issuer makes
 * - `algorithm`, `type`, `key`, `signature`: what protects the token is not what it has to be
 * - `issuer`, `audience`, `expired`, `not_yet`, `subject`: what the token says
 * - `inactive`: its issuer does not vouch for it
 * - `binding`: the token belongs to a key, and the request does not prove to hold it
 * - `proof`, `replay`, `nonce`: the DPoP proof
 * - `scope`: the token is good, and not good for this
 * - `limited`: too many failures from this address
 * - `unavailable`: the issuer cannot be asked
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

/** A request that was not let in, for whoever watches. It never holds the token. */
export interface Refused {
  reason: RefusalReason
  status: number
  /** What was expected, and sometimes what was found. Not for the peer. */
  detail: string
  /** Who the token is about, once that is proven. */
  principal?: string
  /** Where the request came from, where that is known. */
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

/** Failures of whoever holds a token that its issuer made: no sign of somebody who guesses. */
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
