import {
  type CompactJWSHeaderParameters,
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
} from 'jose'
import { monotonicMs } from '../../../internal/monotonic-ms.ts'
import { discoverIssuer } from '../../discovery.ts'
import type { GuardedFetch } from '../../guarded-fetch.ts'
import { Trace } from '../../trace.ts'
import { TokenRefused } from '../refused.ts'

type KeySet = ReturnType<typeof createLocalJWKSet>

/** How long keys are good, and how often they may be fetched. */
const maxAgeMs = 10 * 60_000
const maxStaleMs = 60 * 60_000
const cooldownMs = 30_000
const retryMs = 5_000

/** The public keys of an issuer: fetched when they are needed, and again when they are old or a key is missing. */
export class IssuerKeys {
  readonly #issuer: string
  readonly #guard: GuardedFetch
  readonly #givenUri: string | undefined
  #found: { uri: string; until: number } | undefined
  #set: KeySet | undefined
  #text: string | undefined
  #loadedAt = 0
  /** Nothing is fetched before: tokens with made-up key ids must not make this server attack its issuer. */
  #nextAt = 0
  #loading: Promise<KeySet> | undefined

  constructor(issuer: string, guard: GuardedFetch, jwksUri?: string) {
    this.#issuer = issuer
    this.#guard = guard
    this.#givenUri = jwksUri
  }

  /** The keys in force: the same object until they change. Undefined while they are unknown, or old. */
  get fresh(): object | undefined {
    return monotonicMs() - this.#loadedAt < maxAgeMs ? this.#set : undefined
  }

  /** The key that a token names. Only the issuer's own keys count: links in the header are ignored. */
  readonly keyFor = async (header: CompactJWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    const set = await this.#current()
    try {
      return await set(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayLoad()) throw error
      return (await this.#load().catch(() => set))(header, token)
    }
  }

  async #current(): Promise<KeySet> {
    const age = monotonicMs() - this.#loadedAt
    if (this.#set !== undefined && age < maxAgeMs) return this.#set
    // Keys that were good an hour ago are better than no service while the issuer is down.
    const stale = this.#set !== undefined && age < maxStaleMs ? this.#set : undefined
    if (!this.#mayLoad()) {
      if (stale !== undefined) return stale
      throw new TokenRefused('unavailable', `The keys of ${this.#issuer} could not be had a moment ago`)
    }
    if (stale !== undefined) return this.#load().catch(() => stale)
    return this.#load()
  }

  #mayLoad(): boolean {
    return this.#loading !== undefined || monotonicMs() >= this.#nextAt
  }

  #load(): Promise<KeySet> {
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #fetch(): Promise<KeySet> {
    try {
      const text = await this.#document()
      const set = this.#set !== undefined && text === this.#text ? this.#set : createLocalJWKSet(JSON.parse(text))
      this.#set = set
      this.#text = text
      this.#loadedAt = monotonicMs()
      this.#nextAt = this.#loadedAt + cooldownMs
      return set
    } catch (cause) {
      this.#found = undefined
      this.#nextAt = monotonicMs() + retryMs
      throw new TokenRefused('unavailable', `The keys of ${this.#issuer} cannot be had`, { cause })
    }
  }

  async #document(): Promise<string> {
    const url = new URL(await this.#uri())
    const headers = { Accept: 'application/jwk-set+json, application/json' }
    const { status, text } = await this.#guard.send({ method: 'GET', url, headers })
    if (status !== 200) throw new Error(`${url.href} answered ${status}`)
    return text
  }

  async #uri(): Promise<string> {
    if (this.#givenUri !== undefined) return this.#givenUri
    if (this.#found !== undefined && monotonicMs() < this.#found.until) return this.#found.uri
    const trace = new Trace()
    const options = { guard: this.#guard, trace, onIssuerMismatch: 'refuse' as const, warn: () => {} }
    const uri: unknown = (await discoverIssuer(this.#issuer, options))?.jwks_uri
    if (typeof uri !== 'string' || !URL.canParse(uri)) {
      throw new Error(`The metadata of ${this.#issuer} has no jwks_uri\n${trace}`)
    }
    this.#found = { uri, until: monotonicMs() + maxStaleMs }
    return uri
  }
}
