import { decodeJwt } from 'jose'
import { McpError } from '../../../errors.ts'
import { GuardedFetch, type NetworkOptions } from '../../guarded-fetch.ts'
import type { BearerOptions, TokenChecks, TokenIssuer } from '../options.ts'
import { TokenRefused } from '../refused.ts'
import type { TokenClaims } from './claims.ts'
import { Introspection } from './introspection.ts'
import { IssuerKeys } from './issuer-keys.ts'
import { assertAsymmetric, asymmetric, verifyJwt } from './jwt.ts'

/** An issuer, and how its tokens are read. */
export interface Source {
  issuer: string
  /** Whether its tokens may be anything but JWTs. */
  isOpaque: boolean
  /** Whether a token may name no audience. */
  audienceOptional: boolean
  claimsOf(token: string): Promise<TokenClaims>
  /**
   * The keys that tokens are checked with, as one object that changes with them. A token that they found good stays good
   * until it expires; without them it is looked at again every time.
   */
  keysNow?(): object | undefined
}

/** The issuers whose tokens are accepted. */
export class Issuers {
  readonly names: readonly string[]
  readonly #sources: ReadonlyMap<string, Source>
  readonly #opaque: Source | undefined

  constructor({ issuer, network, clockToleranceS = 5, ...checks }: BearerOptions) {
    const given = (Array.isArray(issuer) ? issuer : [issuer]) as (string | TokenIssuer)[]
    const all = given.map((one) => (typeof one === 'object' ? one : { ...checks, issuer: one }))
    this.names = all.map((one) => one.issuer)
    this.#sources = new Map(all.map((one) => [one.issuer, sourceOf(one, { network, clockToleranceS })]))
    if (all.length === 0 || this.#sources.size < all.length) {
      throw new McpError('invalid_definition', 'issuer: expected one or more, each of them once')
    }
    const opaque = [...this.#sources.values()].filter(({ isOpaque }) => isOpaque)
    // A token that does not tell where it is from would be shown to issuers that it is none of.
    if (opaque.length > 1)
      throw new McpError('invalid_definition', 'issuer: only one of them may have introspection or verify')
    this.#opaque = opaque[0]
  }

  /** The issuer that a token claims; nothing of that is proven. */
  sourceOf(token: string): Source {
    const issuer = issuerIn(token)
    const source = issuer === undefined ? this.#opaque : this.#sources.get(issuer)
    if (source !== undefined) return source
    if (issuer === undefined) throw new TokenRefused('unreadable', 'the token is no JWT with an issuer')
    throw new TokenRefused('issuer', `expected ${this.names.join(' or ')}`)
  }
}

function issuerIn(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token)
    return typeof iss === 'string' ? iss : undefined
  } catch {
    return undefined
  }
}

interface Surroundings {
  network: NetworkOptions | undefined
  clockToleranceS: number
}

function sourceOf(given: TokenIssuer, { network, clockToleranceS }: Surroundings): Source {
  const { issuer, introspection, verify } = given
  const own = readIssuer(issuer)
  if (verify !== undefined) {
    return { issuer, isOpaque: true, audienceOptional: true, claimsOf: (token) => ownVerdict(verify, token) }
  }
  if (introspection !== undefined) {
    // An address that the operator wrote down is trusted; one that the issuer names has to be no worse than the issuer.
    const asked = new Introspection(introspection, new GuardedFetch(new URL(introspection.endpoint), network))
    return { issuer, isOpaque: true, audienceOptional: false, claimsOf: (token) => asked.claimsOf(token) }
  }
  const { algorithms = asymmetric, typ, jwksUri } = given
  const guard = new GuardedFetch(jwksUri === undefined ? own : new URL(jwksUri), network)
  assertAsymmetric(algorithms, 'algorithms')
  const keys = new IssuerKeys(issuer, guard, jwksUri)
  const jwt = { issuer, keys, algorithms, typ, clockToleranceS }
  return {
    issuer,
    isOpaque: false,
    audienceOptional: false,
    claimsOf: (token) => verifyJwt(token, jwt),
    keysNow: () => keys.fresh,
  }
}

async function ownVerdict(verify: NonNullable<TokenChecks['verify']>, token: string): Promise<TokenClaims> {
  let claims: TokenClaims | undefined
  try {
    claims = await verify(token)
  } catch (cause) {
    throw new TokenRefused('unavailable', 'verify failed', { cause })
  }
  if (claims === undefined) throw new TokenRefused('inactive', 'verify does not know the token')
  return claims
}

function readIssuer(issuer: string): URL {
  // Neither query nor fragment (RFC 8414 section 2), which the names of principals rely on.
  if (URL.canParse(issuer) && /^https?:\/\/[^?#]*$/i.test(issuer)) return new URL(issuer)
  throw new McpError(
    'invalid_definition',
    `issuer: expected an http or https URL without query and fragment, got ${JSON.stringify(issuer)}`,
  )
}
