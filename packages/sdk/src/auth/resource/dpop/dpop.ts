import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTVerifyResult, jwtVerify } from 'jose'
import { McpError } from '../../../errors.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { sameSecret } from '../../same-secret.ts'
import { TokenRefused } from '../refused.ts'
import { assertAsymmetric, asymmetric } from '../tokens/jwt.ts'
import { sha256 } from '../tokens/sha256.ts'
import { Nonces } from './nonces.ts'
import { MemoryReplays, type ReplayStore } from './replays.ts'

/** Proof of possession for tokens that belong to a key (RFC 9449). */
export interface DpopOptions {
  /** Refuses tokens that belong to no key. Default false. */
  required?: boolean
  /** Default: ES256, ES384, ES512, EdDSA, Ed25519, PS256, RS256. */
  algorithms?: readonly string[]
  /** How far the time of a proof may be from now. Default 300 s, which is also the most. */
  maxAgeS?: number
  /** Makes clients put a nonce of this server into their proofs, which ends proofs made in advance. Default: no. */
  nonces?: boolean | { secret?: string | Uint8Array }
  /** Default: the memory of this process, with room for 100,000 proofs. */
  replays?: ReplayStore
}

interface Proven {
  request: HttpRequest
  /** As clients know it. */
  resource: string
  token: string
  /** The thumbprint of the key that the token belongs to. */
  thumbprint: string
}

const defaultAlgorithms = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256']
const maxProofLength = 8_192
const maxIdLength = 256

interface ProofClaims {
  jti?: unknown
  htm?: unknown
  htu?: unknown
  ath?: unknown
  iat?: unknown
  nonce?: unknown
}

/** Checks proofs as section 4.3 of RFC 9449 lists it. */
export class Dpop {
  readonly required: boolean
  readonly algorithms: readonly string[]
  readonly nonces: Nonces | undefined
  readonly #maxAgeS: number
  readonly #replays: ReplayStore

  constructor({ required = false, algorithms = defaultAlgorithms, maxAgeS = 300, nonces, replays }: DpopOptions = {}) {
    assertAsymmetric(algorithms, 'dpop.algorithms')
    if (!(maxAgeS > 0 && maxAgeS <= 300))
      throw new McpError('invalid_definition', `dpop.maxAgeS: expected 1 to 300, got ${maxAgeS}`)
    this.required = required
    this.algorithms = asymmetric.filter((algorithm) => algorithms.includes(algorithm))
    this.nonces = nonces ? new Nonces(nonces === true ? undefined : nonces.secret) : undefined
    this.#maxAgeS = maxAgeS
    this.#replays = replays ?? new MemoryReplays()
  }

  /** Throws unless the request proves to hold the key of its token, and does so for the first time. */
  async check({ request, resource, token, thumbprint }: Proven): Promise<void> {
    const { payload, protectedHeader } = await this.#read(request.header('dpop'))
    const claims: ProofClaims = payload
    if (!sameSecret(await calculateJwkThumbprint(protectedHeader.jwk!), thumbprint)) {
      throw new TokenRefused('binding', 'the proof is by another key than the one of the token')
    }
    if (claims.htm !== request.method) throw bad('htm', request.method)
    if (!isAbout(claims.htu, resource, request.target.path)) throw bad('htu', resource)
    if (typeof claims.ath !== 'string' || !sameSecret(await sha256(token), claims.ath))
      throw bad('ath', 'the hash of the token')
    await this.#checkTime(claims, thumbprint)
  }

  async #read(proof: string | undefined): Promise<JWTVerifyResult> {
    if (proof === undefined) throw new TokenRefused('proof', 'there is no DPoP header')
    if (proof.length > maxProofLength) throw new TokenRefused('proof', `the proof is longer than ${maxProofLength}`)
    try {
      return await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: [...this.algorithms] })
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new TokenRefused('proof', error.message)
      // A key that the platform cannot read.
      throw new TokenRefused('proof', 'the key of the proof cannot be used')
    }
  }

  async #checkTime({ iat, nonce, jti }: ProofClaims, thumbprint: string): Promise<void> {
    const now = Date.now() / 1_000
    if (typeof iat !== 'number' || Math.abs(now - iat) > this.#maxAgeS) throw bad('iat', `now, ± ${this.#maxAgeS} s`)
    if (this.nonces !== undefined && !(typeof nonce === 'string' && (await this.nonces.accepts(nonce)))) {
      throw new TokenRefused('nonce', 'the proof has no nonce of this server, or an old one')
    }
    if (typeof jti !== 'string' || jti === '' || jti.length > maxIdLength) throw bad('jti', 'a short text')
    // Last, so that only good proofs take up memory, and with the key, so that no client uses up the ids of others.
    if (!(await this.#replays.add(`${thumbprint}.${jti}`, (iat + this.#maxAgeS + 1) * 1_000))) {
      throw new TokenRefused('replay', 'the proof was used before')
    }
  }
}

const bad = (claim: string, expected: string): TokenRefused =>
  new TokenRefused('proof', `${claim}: expected ${expected}`)

/** Without query and fragment, and as clients see it: a proxy may have changed the path, but not the resource. */
function isAbout(htu: unknown, resource: string, path: string): boolean {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return false
  const { origin, pathname } = new URL(htu)
  const expected = new URL(resource)
  if (origin !== expected.origin) return false
  const asked = withoutSlash(pathname)
  return asked === withoutSlash(new URL(path, expected.origin).pathname) || asked === withoutSlash(expected.pathname)
}

/** The endpoint is served with and without a slash at its end. */
const withoutSlash = (path: string): string => path.replace(/\/$/, '')
