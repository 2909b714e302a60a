import type { BearerAuth } from '../options.ts'
import { TokenRefused } from '../refused.ts'
import { canonicalUrl } from '../resource-url.ts'
import { scopesOfClaims, withImplied } from '../scopes.ts'

/** The claims of a token. */
export interface TokenClaims {
  iss?: string
  sub?: string
  aud?: string | readonly string[]
  exp?: number
  nbf?: number
  client_id?: string
  scope?: string
  [claim: string]: unknown
}

interface Expected {
  issuer: string
  /** In one spelling. */
  audiences: ReadonlySet<string>
  /** Whether a token may name no audience. */
  audienceOptional: boolean
  clockToleranceS: number
}

/**
 * Throws unless the claims are about this server, by this issuer, and now. A token for another resource is not accepted
 * (auth.token.audience).
 */
export function checkClaims(claims: TokenClaims, audiences: readonly string[], expected: Expected): void {
  const { iss, aud, exp, nbf } = claims
  const now = Date.now() / 1_000
  if (iss !== undefined && iss !== expected.issuer) throw new TokenRefused('issuer', `not by ${expected.issuer}`)
  const isForUs = aud === undefined ? expected.audienceOptional : audiences.some((one) => expected.audiences.has(one))
  if (!isForUs) {
    throw new TokenRefused('audience', `expected ${[...expected.audiences].join(' or ')}, got ${quote(aud)}`)
  }
  if (exp !== undefined && !(typeof exp === 'number' && exp > now - expected.clockToleranceS)) {
    throw new TokenRefused('expired', 'the token has expired')
  }
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + expected.clockToleranceS)) {
    throw new TokenRefused('not_yet', 'the token is not valid yet')
  }
}

/** The audiences that a token names, in one spelling. */
export function audiencesOf({ aud }: TokenClaims): string[] {
  const named: unknown[] = Array.isArray(aud) ? aud : [aud]
  return named.filter((one) => typeof one === 'string').map(canonicalUrl)
}

/** The subject of the claims. Throws if they have none. */
export function authOf(
  claims: TokenClaims,
  issuer: string,
  implied: ReadonlyMap<string, readonly string[]>,
): BearerAuth {
  const subject = word(claims.sub)
  const clientId = word(claims.client_id) ?? word(claims.azp)
  if (subject === undefined && clientId === undefined) {
    throw new TokenRefused('subject', 'the token names neither a subject nor a client')
  }
  // An issuer contains neither # nor ?, so no subject can look like that of another issuer, or like a client.
  const principal = subject === undefined ? `${issuer}?client_id=${clientId}` : `${issuer}#${subject}`
  const scopes = Object.freeze(withImplied(scopesOfClaims(claims), implied))
  return Object.freeze({ principal, scopes, issuer, subject, clientId, claims })
}

const word = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const quote = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value).slice(0, 200))
