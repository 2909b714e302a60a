import { monotonicMs } from '../../../internal/monotonic-ms.ts'
import { isObject } from '../../../jsonrpc/classify.ts'
import type { GuardedFetch } from '../../guarded-fetch.ts'
import { TokenRefused } from '../refused.ts'
import type { TokenClaims } from './claims.ts'
import { freezeAll } from './freeze.ts'
import { sha256 } from './sha256.ts'

/** The endpoint for token introspection (RFC 7662), and the credentials for it. */
export interface IntrospectionOptions {
  endpoint: string
  clientId: string
  clientSecret: string
  /** How long an answer is believed: a revoked token works this much longer. Default 10 s. */
  cacheMs?: number
  /** Questions at once; more are answered with 503. Default 32. */
  maxInFlight?: number
}

interface Known {
  claims: Promise<TokenClaims>
  until: number
}

const maxKnown = 10_000

/** Introspects tokens at the issuer, and caches the answers for a moment. */
export class Introspection {
  readonly #options: IntrospectionOptions
  readonly #guard: GuardedFetch
  readonly #authorization: string
  /** By hash: a dump of this memory holds no tokens. */
  readonly #known = new Map<string, Known>()
  #inFlight = 0

  constructor(options: IntrospectionOptions, guard: GuardedFetch) {
    this.#options = options
    this.#guard = guard
    this.#authorization = `Basic ${btoa(`${formEncoded(options.clientId)}:${formEncoded(options.clientSecret)}`)}`
  }

  async claimsOf(token: string): Promise<TokenClaims> {
    const { cacheMs = 10_000, maxInFlight = 32 } = this.#options
    const hash = await sha256(token)
    const known = this.#known.get(hash)
    if (known !== undefined && known.until > monotonicMs()) return known.claims
    if (this.#inFlight >= maxInFlight) throw new TokenRefused('unavailable', 'Too many tokens are being asked about')
    const claims = this.#ask(token)
    this.#known.delete(hash)
    this.#known.set(hash, { claims, until: monotonicMs() + cacheMs })
    if (this.#known.size > maxKnown) this.#known.delete(this.#known.keys().next().value!)
    claims.catch((error: unknown) => {
      // A bad token stays bad; a failed request is sent again.
      if (!(error instanceof TokenRefused) || error.reason !== 'inactive') this.#known.delete(hash)
    })
    return claims
  }

  async #ask(token: string): Promise<TokenClaims> {
    this.#inFlight += 1
    try {
      const answer = await this.#answer(token)
      if (answer.active === true) return freezeAll(answer as TokenClaims)
    } catch (cause) {
      throw new TokenRefused('unavailable', `${this.#options.endpoint} cannot be asked`, { cause })
    } finally {
      this.#inFlight -= 1
    }
    throw new TokenRefused('inactive', 'the issuer says that the token is not active')
  }

  async #answer(token: string): Promise<{ active?: unknown }> {
    const { status, text } = await this.#guard.send({
      method: 'POST',
      url: new URL(this.#options.endpoint),
      headers: {
        Accept: 'application/json',
        Authorization: this.#authorization,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
    })
    if (status !== 200) throw new Error(`introspection was answered with ${status}`)
    const answer: unknown = JSON.parse(text)
    if (!isObject(answer)) throw new Error('introspection was answered with something that is no object')
    return answer
  }
}

/** RFC 6749 section 2.3.1: both halves are encoded before they are joined. */
const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)
