import { type CryptoKey, errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'
import { McpError } from '../../../errors.ts'
import { type RefusalReason, TokenRefused } from '../refused.ts'
import type { TokenClaims } from './claims.ts'
import { freezeAll } from './freeze.ts'
import type { IssuerKeys } from './issuer-keys.ts'

/** Signatures that are checked with a public key: with `HS256` that key would be the secret. */
export const asymmetric: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

export function assertAsymmetric(algorithms: readonly string[], option: string): void {
  const wrong = algorithms.find((algorithm) => !asymmetric.includes(algorithm))
  if (wrong === undefined && algorithms.length > 0) return
  throw new McpError(
    'invalid_definition',
    `${option}: expected some of ${asymmetric.join(', ')}, got ${wrong ?? 'none of them'}`,
  )
}

interface JwtOptions {
  issuer: string
  keys: IssuerKeys
  algorithms: readonly string[]
  typ: string | undefined
  clockToleranceS: number
}

/** Keys with the same id, or tokens without one: this many are tried. */
const maxTries = 5

/** The claims of a signed token. Throws unless its issuer signed it, and it is an access token that still holds. */
export async function verifyJwt(token: string, options: JwtOptions): Promise<TokenClaims> {
  const checks: JWTVerifyOptions = {
    algorithms: [...options.algorithms],
    issuer: options.issuer,
    requiredClaims: ['exp'],
    clockTolerance: options.clockToleranceS,
  }
  try {
    const { payload, protectedHeader } = await verifyWithAny(token, options.keys, checks)
    if (!isAccessToken(protectedHeader.typ, options.typ)) {
      throw new TokenRefused('type', `typ: expected ${options.typ ?? 'at+jwt or JWT'}`)
    }
    return freezeAll(payload as TokenClaims)
  } catch (error) {
    throw refusedFor(error)
  }
}

async function verifyWithAny(token: string, keys: IssuerKeys, checks: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys.keyFor, checks)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    return tryEach(token, error, checks)
  }
}

async function tryEach(
  token: string,
  keys: AsyncIterable<CryptoKey>,
  checks: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  let tries = 0
  for await (const key of keys) {
    if (++tries > maxTries) break
    try {
      return await jwtVerify(token, key, checks)
    } catch (error) {
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}

/** Tokens of other kinds (proofs, logout tokens) may have the same issuer and audience, and are no access tokens. */
function isAccessToken(typ: unknown, wanted: string | undefined): boolean {
  const found = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : undefined
  if (wanted !== undefined) return found === wanted.toLowerCase().replace(/^application\//, '')
  return found === undefined || found === 'at+jwt' || found === 'jwt'
}

/** The messages of jose name claims and never values. The platform throws its own errors for keys that it cannot use. */
function refusedFor(error: unknown): TokenRefused {
  if (error instanceof TokenRefused) return error
  if (!(error instanceof errors.JOSEError)) {
    return new TokenRefused('key', 'the key of the issuer cannot be used', { cause: error })
  }
  const claim = (error as { claim?: string }).claim
  const reason = (claim === undefined ? undefined : byClaim.get(claim)) ?? byCode.get(error.code) ?? 'unreadable'
  return new TokenRefused(reason, error.message)
}

const byClaim: ReadonlyMap<string, RefusalReason> = new Map([
  ['iss', 'issuer'],
  ['exp', 'expired'],
  ['nbf', 'not_yet'],
])

const byCode: ReadonlyMap<string, RefusalReason> = new Map([
  ['ERR_JOSE_ALG_NOT_ALLOWED', 'algorithm'],
  ['ERR_JOSE_NOT_SUPPORTED', 'algorithm'],
  ['ERR_JWKS_NO_MATCHING_KEY', 'key'],
  ['ERR_JWKS_INVALID', 'key'],
  ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'signature'],
])
