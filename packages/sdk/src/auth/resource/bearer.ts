import type { Authenticate, AuthRefusal, OpenAnswer } from '../../http/authenticate.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { AuthInfo } from '../../jsonrpc/auth-info.ts'
import { assertScopes } from '../scope-names.ts'
import { type Credentials, credentialsOf } from './credentials.ts'
import { Dpop } from './dpop/dpop.ts'
import { Failures } from './failures.ts'
import type { BearerAuth, BearerOptions } from './options.ts'
import { isHonest, provesBad, type RefusalReason, TokenRefused } from './refused.ts'
import { type ResourceSite, Sites } from './site.ts'
import { audiencesOf, authOf, checkClaims, type TokenClaims } from './tokens/claims.ts'
import { Issuers, type Source } from './tokens/issuers.ts'
import { RememberedTokens } from './tokens/remembered-tokens.ts'
import { TokenWatch } from './tokens/token-watch.ts'
import { challengeText, errorFor, type Scheme, statusFor } from './www-authenticate.ts'

const maxMetadataReads = 300

const dpopOnly: readonly Scheme[] = ['DPoP']
const both: readonly Scheme[] = ['Bearer', 'DPoP']

/** A request, and the facts about it so far. */
interface Visit {
  readonly request: HttpRequest
  readonly site: ResourceSite
  readonly address: string | undefined
  credentials?: Credentials
  auth?: BearerAuth
}

/** Admits requests with an access token of a trusted issuer for this server. */
class Door {
  readonly #options: BearerOptions
  readonly #issuers: Issuers
  readonly #sites: Sites
  readonly #dpop: Dpop
  readonly #failures: Failures | undefined
  readonly #readers: Failures | undefined
  readonly #remembered = new RememberedTokens()
  readonly #watched = new TokenWatch()
  readonly #needed: readonly string[]
  readonly #implied: ReadonlyMap<string, readonly string[]>

  constructor(options: BearerOptions) {
    const { scopes = [], scopesSupported = scopes, impliedScopes = {}, failures } = options
    assertScopes(scopes, 'scopes')
    assertScopes(scopesSupported, 'scopesSupported')
    this.#options = options
    this.#issuers = new Issuers(options)
    this.#dpop = new Dpop(options.dpop)
    this.#failures = failures === false ? undefined : new Failures(failures)
    this.#readers =
      failures === false ? undefined : new Failures({ ...failures, max: maxMetadataReads, windowMs: 60_000 })
    this.#needed = scopes
    this.#implied = new Map(Object.entries(impliedScopes))
    this.#sites = new Sites(options, {
      ...options.metadata,
      authorization_servers: this.#issuers.names,
      bearer_methods_supported: ['header'],
      ...(scopesSupported.length > 0 && { scopes_supported: scopesSupported }),
      ...(options.dpop && { dpop_signing_alg_values_supported: this.#dpop.algorithms }),
      ...(this.#dpop.required && { dpop_bound_access_tokens_required: true }),
    })
  }

  readonly answerAnybody: NonNullable<Authenticate['answerAnybody']> = (request, path) => {
    const answer = this.#sites.answer(request, path)
    return answer === undefined ? undefined : (this.#tooMany(request) ?? answer)
  }

  /** No client has to read the metadata that often, and encoding it is work. */
  #tooMany(request: HttpRequest): OpenAnswer | undefined {
    const address = this.#readers?.addressOf(request)
    const waitMs = this.#readers?.waitMs(address) ?? 0
    this.#readers?.add(address)
    if (waitMs > 0) return { status: 429, headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) } }
    return undefined
  }

  /** At once for a token that is remembered. */
  readonly authenticate = (request: HttpRequest, path?: string): MaybePromise<AuthInfo | AuthRefusal> => {
    const site = this.#sites.of(request, path)
    const visit: Visit = { request, site, address: this.#failures?.addressOf(request) }
    try {
      const admitting = this.#admit(visit)
      if (!(admitting instanceof Promise)) return admitting
      return admitting.catch((error: unknown) => this.#refuse(error, visit))
    } catch (error) {
      return this.#refuse(error, visit)
    }
  }

  /** The request was let in; the scopes are missing for one operation. */
  readonly challengeScopes: NonNullable<Authenticate['challengeScopes']> = (request, scopes, auth, path) => {
    const { maxTokenLength = 8_192 } = this.#options
    const credentials = credentialsOf(request, maxTokenLength)
    const visit: Visit = {
      request,
      site: this.#sites.of(request, path),
      address: this.#failures?.addressOf(request),
      ...(credentials && { credentials }),
      ...(isBearerAuth(auth) && { auth }),
    }
    this.#tell(new TokenRefused('scope', `needs ${scopes.join(' ')}`), 403, visit)
    // All scopes at once, also those of every request: the next token replaces this one
    // (auth.scope403.single-challenge).
    const all = [...new Set([...this.#needed, ...scopes])]
    return { 'www-authenticate': this.#challenges('scope', visit, all) }
  }

  /** Until the token of a request that was let in expires, or its issuer does not vouch for it any more. */
  readonly watch: NonNullable<Authenticate['watch']> = (request, auth, ended) => {
    const { maxTokenLength = 8_192 } = this.#options
    const credentials = credentialsOf(request, maxTokenLength)
    if (credentials === undefined || !isBearerAuth(auth)) return () => {}
    const { token } = credentials
    const { exp } = auth.claims
    const { isOpaque, claimsOf } = this.#issuers.sourceOf(token)
    const expiresAt = exp === undefined ? undefined : this.#endOf(exp)
    return this.#watched.watch(
      { token, expiresAt, recheck: isOpaque ? () => isGood(claimsOf(token)) : undefined },
      ended,
    )
  }

  /** When a token expires on this clock, in milliseconds since 1970. */
  #endOf(exp: number): number {
    const { clockToleranceS = 5 } = this.#options
    return (exp + clockToleranceS) * 1_000
  }

  #admit(visit: Visit): MaybePromise<BearerAuth> {
    const { request, address } = visit
    const { maxTokenLength = 8_192 } = this.#options
    const credentials = credentialsOf(request, maxTokenLength)
    if (credentials === undefined) throw new TokenRefused('missing', 'there is no access token')
    visit.credentials = credentials
    if ((this.#failures?.waitMs(address) ?? 0) > 0) throw new TokenRefused('limited', 'too many bad tokens')
    const known = this.#remembered.find(credentials.token)
    if (known === undefined) return this.#read(visit, credentials)
    // One token may come to several resources, and the clock goes on.
    this.#checkClaims(known.auth.claims, known.audiences, known.source, visit)
    return this.#letIn(visit, credentials, known.auth)
  }

  async #read(visit: Visit, credentials: Credentials): Promise<BearerAuth> {
    const { token } = credentials
    const source = this.#issuers.sourceOf(token)
    const keys = source.keysNow?.()
    const claims = await source.claimsOf(token)
    const audiences = audiencesOf(claims)
    this.#checkClaims(claims, audiences, source, visit)
    const auth = authOf(claims, source.issuer, this.#implied)
    // Keys that changed meanwhile may not be those that the token was checked with.
    if (keys !== undefined && keys === source.keysNow?.() && claims.exp !== undefined) {
      this.#remembered.add(token, { source, keys, audiences, auth, expiresAt: this.#endOf(claims.exp) })
    }
    return this.#letIn(visit, credentials, auth)
  }

  #checkClaims(claims: TokenClaims, named: readonly string[], source: Source, { site: { audiences } }: Visit): void {
    const { issuer, audienceOptional } = source
    const { clockToleranceS = 5 } = this.#options
    checkClaims(claims, named, { issuer, audiences, audienceOptional, clockToleranceS })
  }

  /** The binding to a key and the scopes: checked with every request. */
  #letIn(visit: Visit, credentials: Credentials, auth: BearerAuth): MaybePromise<BearerAuth> {
    visit.auth = auth
    const proving = this.#checkBinding(visit, credentials, auth.claims)
    return proving === undefined ? this.#withScopes(auth) : proving.then(() => this.#withScopes(auth))
  }

  #withScopes(auth: BearerAuth): BearerAuth {
    const missing = this.#needed.filter((scope) => !auth.scopes.includes(scope))
    if (missing.length > 0) throw new TokenRefused('scope', `lacks ${missing.join(' ')}`)
    return auth
  }

  /** A token that belongs to a key is worth nothing without it, and must not be taken as a plain one (RFC 9449, 7.2). */
  #checkBinding(
    { request, site }: Visit,
    { scheme, token }: Credentials,
    { cnf }: TokenClaims,
  ): Promise<void> | undefined {
    const thumbprint = (cnf as { jkt?: unknown } | null | undefined)?.jkt
    if (typeof thumbprint === 'string' && scheme === 'dpop') {
      return this.#dpop.check({ request, resource: site.resource, token, thumbprint })
    }
    if (cnf != null) throw new TokenRefused('binding', 'the token belongs to a key, and there is no proof of it')
    if (scheme === 'dpop') throw new TokenRefused('binding', 'the token belongs to no key')
    if (this.#dpop.required) throw new TokenRefused('binding', 'only tokens that belong to a key are taken')
    return undefined
  }

  async #refuse(refused: unknown, visit: Visit): Promise<AuthRefusal> {
    if (!(refused instanceof TokenRefused)) throw refused
    const { reason } = refused
    const { status, message } = statusFor(reason)
    if (!isHonest(reason)) this.#failures?.add(visit.address)
    if (visit.credentials !== undefined && provesBad(reason)) this.#watched.refused(visit.credentials.token)
    this.#tell(refused, status, visit)
    return { status, message, headers: await this.#headersFor(reason, visit) }
  }

  async #headersFor(reason: RefusalReason, visit: Visit): Promise<{ [name: string]: string }> {
    if (reason === 'unavailable') return { 'retry-after': '5' }
    if (reason === 'limited') return { 'retry-after': String(Math.ceil(this.#failures!.waitMs(visit.address) / 1_000)) }
    const headers = { 'www-authenticate': this.#challenges(reason, visit) }
    const { nonces } = this.#dpop
    return reason === 'nonce' ? { ...headers, 'dpop-nonce': await nonces!.current() } : headers
  }

  #challenges(reason: RefusalReason, { credentials, site }: Visit, scopes = this.#needed): string {
    const used: Scheme = credentials?.scheme === 'dpop' ? 'DPoP' : 'Bearer'
    const schemes = this.#dpop.required ? dpopOnly : this.#options.dpop ? both : [used]
    return schemes
      .map((scheme) =>
        challengeText({
          scheme,
          metadataUrl: site.metadataUrl,
          scopes,
          error: scheme === used || schemes.length === 1 ? errorFor(reason) : undefined,
          ...(scheme === 'DPoP' && { algorithms: this.#dpop.algorithms }),
        }),
      )
      .join(', ')
  }

  #tell({ reason, message, cause }: TokenRefused, status: number, { auth, address }: Visit): void {
    try {
      this.#options.onRefused?.({
        reason,
        status,
        detail: message,
        ...(auth && { principal: auth.principal }),
        ...(address !== undefined && { address }),
        ...(cause !== undefined && { cause }),
      })
    } catch {
      // A listener does not decide.
    }
  }
}

/** An issuer that cannot be reached has revoked nothing. */
const isGood = (claims: Promise<TokenClaims>): Promise<boolean> =>
  claims.then(
    () => true,
    (error: unknown) => !(error instanceof TokenRefused && provesBad(error.reason)),
  )

/**
 * Protects a server with access tokens: the option `auth` of `serveHttp`, `nodeHandler` and `fetchHandler`.
 *
 * @example
 * await serveHttp(server, {
 *   auth: bearer({ issuer: 'https://id.example.com', resource: 'https://mcp.example.com/mcp', scopes: ['tables:read'] }),
 * })
 */
export function bearer(options: BearerOptions): Authenticate {
  const door = new Door(options)
  const { answerAnybody, challengeScopes, watch } = door
  return Object.assign(door.authenticate, { answerAnybody, challengeScopes, watch })
}

/** Whether `ctx.auth` comes from `bearer`. */
export const isBearerAuth = (auth: AuthInfo | undefined): auth is BearerAuth =>
  typeof auth?.issuer === 'string' && typeof auth.claims === 'object'
