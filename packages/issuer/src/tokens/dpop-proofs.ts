import type { ReplayStore } from '@tenon/sdk/auth/server'
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose'
import { OAuthRefusal } from '../http/responses.ts'

export const proofAlgorithms: readonly string[] = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256']
const maxLength = 8_192
const maxAgeS = 300

const bad = (description: string): OAuthRefusal => new OAuthRefusal('invalid_dpop_proof', description)

/** Checks proofs that come with token requests (RFC 9449 section 5): there is no token yet that they could name. */
export class ProofChecks {
  readonly #endpoint: string
  readonly #now: () => number
  readonly #used: ReplayStore

  constructor(endpoint: string, now: () => number, used: ReplayStore) {
    this.#endpoint = endpoint
    this.#now = now
    this.#used = used
  }

  /** The thumbprint of the key that is proven to be there; undefined if there is no proof. */
  async thumbprintOf(request: Request): Promise<string | undefined> {
    const proof = request.headers.get('dpop')
    if (proof === null) return undefined
    if (proof.length > maxLength) throw bad(`The proof is longer than ${maxLength} characters`)
    const { payload, protectedHeader } = await this.#read(proof)
    const { htm, htu, iat, jti } = payload
    if (htm !== 'POST') throw bad('htm: expected POST')
    if (htu !== this.#endpoint) throw bad(`htu: expected ${this.#endpoint}`)
    if (typeof iat !== 'number' || Math.abs(this.#now() / 1_000 - iat) > maxAgeS)
      throw bad(`iat: expected now, ± ${maxAgeS} s`)
    if (typeof jti !== 'string' || jti === '' || jti.length > 256) throw bad('jti: expected a short text')
    const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk!)
    if (!(await this.#used.add(`${thumbprint}.${jti}`, (iat + maxAgeS + 1) * 1_000)))
      throw bad('The proof was used before')
    return thumbprint
  }

  async #read(proof: string): ReturnType<typeof jwtVerify<Claims>> {
    try {
      const currentDate = new Date(this.#now())
      return await jwtVerify<Claims>(proof, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: [...proofAlgorithms],
        currentDate,
      })
    } catch {
      throw bad('The proof cannot be verified')
    }
  }
}

interface Claims {
  htm?: unknown
  htu?: unknown
}
