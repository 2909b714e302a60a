import type { TokenEndpointResponse } from 'oauth4webapi'
import type { AuthChallenge, AuthReply, AuthRequest } from '../../http-client/client-auth.ts'
import type { HeaderRecord } from '../../http-client/http-options.ts'
import { type Challenge, scopesOf, tokenChallenge } from '../challenge.ts'
import { GuardedFetch } from '../guarded-fetch.ts'
import { Trace } from '../trace.ts'
import { type DpopKey, dpopKey } from './dpop.ts'
import type { Grant } from './grant.ts'
import { OAuthError } from './oauth-error.ts'
import { type Obtaining, obtain, refresh } from './obtain.ts'
import type { OAuthOptions } from './options.ts'
import { findPlace, type Place, recallPlace } from './place.ts'
import { revoke } from './revoke.ts'
import { chooseScopes, withOfflineAccess } from './scopes.ts'
import { SharedWork } from './shared-work.ts'
import type { Lock, Records, ServerRecord, TokenRecord } from './store.ts'

export interface SessionSettings {
  options: OAuthOptions
  grant: Grant
  records: Records
  lock: Lock
}

/** Why a token is wanted. */
interface Need {
  /** The server has not asked yet: the token is known to expire. */
  early: boolean
  challenge: Challenge | undefined
  /** The access token that is not good enough. */
  used: string | undefined
  /** Scopes that it lacks. */
  stepUp: boolean
}

/** How long a scope that was not granted, and a token that was never accepted, are not asked for again. */
const calmMs = 60_000
const restMs = 10_000

/** Everything about the tokens for one server. */
export class ServerSession {
  readonly #server: URL
  readonly #settings: SessionSettings
  readonly #guard: GuardedFetch
  #place: ServerRecord | undefined
  #tokens: TokenRecord | undefined
  #loading: Promise<void> | undefined
  #loaded = false
  #work: SharedWork | undefined
  #dpop: DpopKey | undefined
  /** A token that was just obtained, until the server takes it. */
  #unproven: { accessToken: string; by: 'grant' | 'refresh'; until: number } | undefined
  /** Renewing early failed; until then the token is used for as long as the server takes it. */
  #restsUntil = 0
  /** The requests that were refused for want of a nonce, each by its signal. */
  readonly #gotNonce = new WeakSet<AbortSignal>()
  /** Scopes that were asked for in vain. */
  readonly #denied = new Map<string, number>()

  constructor(server: URL, settings: SessionSettings) {
    this.#server = server
    this.#settings = settings
    this.#guard = new GuardedFetch(server, settings.options.network)
  }

  headers(request: AuthRequest): HeaderRecord | Promise<HeaderRecord> {
    const tokens = this.#tokens
    if (!this.#loaded || tokens === undefined || this.#isStale(tokens) || tokens.type === 'dpop') {
      return this.#freshHeaders(request)
    }
    return { Authorization: `Bearer ${tokens.accessToken}` }
  }

  answered({ url }: AuthRequest, { status, header }: AuthReply): void {
    const nonce = header('dpop-nonce')
    if (nonce !== undefined) this.#dpop?.remember(url, nonce)
    if (status !== 401 && status !== 403) this.#unproven = undefined
  }

  async challenged(refusal: AuthChallenge): Promise<boolean> {
    const { status, sent, signal, wwwAuthenticate } = refusal
    const challenge = tokenChallenge(wwwAuthenticate)
    // Who wants other credentials does not want a token; and nobody logs in to say goodbye.
    if ((wwwAuthenticate !== undefined && challenge === undefined) || refusal.method === 'DELETE') return false
    const error = challenge?.params.get('error')
    const used = tokenIn(sent)
    if (error === 'use_dpop_nonce' && sent.DPoP !== undefined) return this.#mayUseNonce(signal)
    if (status === 403 && (error !== 'insufficient_scope' || used === undefined)) return false
    // Another request was refused too, and its answer is here.
    if (this.#tokens !== undefined && this.#tokens.accessToken !== used) return true
    const stepUp = status === 403
    if (stepUp) this.#assertNewScopes(scopesOf(challenge?.params.get('scope')))
    else this.#assertWorthwhile(used)
    await this.#share({ early: false, challenge, used, stepUp }, signal)
    return true
  }

  /** Takes the tokens back, at the authorization server and here; false if that one could not be told. */
  async revoke(): Promise<boolean> {
    await this.#load()
    const tokens = this.#tokens
    const { signal } = new AbortController()
    const need = { early: true, challenge: undefined, used: tokens?.accessToken, stepUp: false }
    try {
      return tokens !== undefined && (await revoke(await this.#plan(need, signal), tokens))
    } finally {
      await this.forget()
    }
  }

  /** Forgets the tokens, here and in the store. */
  async forget(): Promise<void> {
    const { records } = this.#settings
    await this.#load()
    if (this.#place !== undefined) await records.tokens(this.#place).delete()
    await records.server(this.#server).delete()
    this.#tokens = undefined
    this.#place = undefined
    this.#unproven = undefined
    this.#denied.clear()
  }

  // Headers

  async #freshHeaders({ method, url, signal }: AuthRequest): Promise<HeaderRecord> {
    await this.#load()
    const stale = this.#tokens
    if (stale !== undefined && this.#isStale(stale)) {
      const need = { early: true, challenge: undefined, used: stale.accessToken, stepUp: false }
      // If it fails the server says what it wants, and the failure of that is worth reporting.
      await this.#share(need, signal).catch(() => {
        this.#restsUntil = Date.now() + restMs
      })
    }
    const tokens = this.#tokens
    if (tokens === undefined) return {}
    if (tokens.type === 'dpop') return this.#dpop!.headers(method, url, tokens.accessToken)
    return { Authorization: `Bearer ${tokens.accessToken}` }
  }

  #isStale({ renewAt, refreshToken }: TokenRecord): boolean {
    const now = Date.now()
    if (renewAt === undefined || renewAt > now || this.#restsUntil > now) return false
    return refreshToken !== undefined || !this.#settings.grant.interactive
  }

  // What is kept

  #load(): Promise<void> {
    this.#loading ??= this.#reload().catch((error) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #reload(): Promise<void> {
    const { records, options } = this.#settings
    if (typeof options.dpop === 'object') this.#dpop ??= await dpopKey(options.dpop)
    const place = await records.server(this.#server).get()
    const tokens = place && (await records.tokens(place).get())
    // A token that is bound to a key of another process is of no use here.
    if (tokens !== undefined && (tokens.key === undefined || tokens.key === this.#dpop?.thumbprint)) {
      this.#place = place
      this.#tokens = tokens
    }
    this.#loaded = true
  }

  async #keep(place: ServerRecord, tokens: TokenRecord): Promise<void> {
    const { records, options } = this.#settings
    this.#place = place
    this.#tokens = tokens
    // A key that was made here dies here, and its tokens with it.
    if (tokens.key !== undefined && typeof options.dpop !== 'object') return
    await records.tokens(place).set(tokens)
    await records.server(this.#server).set(place)
  }

  // Obtaining tokens

  /** However many ask, one token is obtained. */
  #share(need: Need, signal: AbortSignal): Promise<void> {
    if (this.#work === undefined || this.#work.stopped) {
      const work = new SharedWork(
        (stop) => this.#hold(need, stop),
        () => {
          if (this.#work === work) this.#work = undefined
        },
      )
      this.#work = work
    }
    return this.#work.wait(signal)
  }

  #hold(need: Need, signal: AbortSignal): Promise<void> {
    const work = async (): Promise<void> => {
      await this.#reload()
      // Another process was faster.
      const isNews =
        this.#tokens !== undefined && this.#tokens.accessToken !== need.used && !this.#isStale(this.#tokens)
      if (!isNews) await this.#renew(need, signal)
    }
    return this.#settings.lock.hold(this.#server.href, work, signal)
  }

  async #renew(need: Need, signal: AbortSignal): Promise<void> {
    this.#assertSecure()
    const plan = await this.#plan(need, signal)
    const tokens = this.#tokensOf(plan.place.record)
    if (tokens !== undefined && this.#mayRefresh(need) && (await this.#refresh(plan, tokens))) return
    // The user is not disturbed before the server insists.
    if (need.early && this.#settings.grant.interactive) return
    await this.#grant(plan, need)
  }

  /** Finds out where tokens come from, and what is needed there. */
  async #plan(need: Need, signal: AbortSignal): Promise<Obtaining> {
    const { grant, options, records } = this.#settings
    const trace = new Trace()
    const place = await this.#find(need, trace, signal)
    const tokens = this.#tokensOf(place.record)
    const scopes = this.#scopesFor(need, place, tokens)
    await this.#prepareKey(need, place)
    const own = { server: this.#server, dpop: this.#dpop, guard: this.#guard }
    return { ...own, place, grant, options, records, scopes, trace, signal }
  }

  /** More scopes need the user, and a token that refreshing brought is not helped by refreshing again. */
  #mayRefresh({ stepUp, used }: Need): boolean {
    return !stepUp && (this.#unproven === undefined || this.#unproven.accessToken !== used)
  }

  async #find(need: Need, trace: Trace, signal: AbortSignal): Promise<Place> {
    const { options } = this.#settings
    const warn = options.onWarning ?? (() => {})
    const onIssuerMismatch = options.deviations?.issuerMismatch ?? 'refuse'
    const discovery = { guard: this.#guard, trace, signal, warn, onIssuerMismatch }
    if (need.early && this.#place !== undefined) {
      return recallPlace(this.#place, this.#server, discovery)
    }
    return findPlace(this.#server, need.challenge, options, discovery)
  }

  /** The tokens from this place: what another authorization server gave is nothing to this one (auth.asbind.*). */
  #tokensOf({ issuer, resource }: ServerRecord): TokenRecord | undefined {
    const known = this.#place
    return known?.issuer === issuer && known.resource === resource ? this.#tokens : undefined
  }

  #scopesFor(need: Need, { as, scopes: supported }: Place, tokens: TokenRecord | undefined): string[] {
    const { options, grant } = this.#settings
    const scopes = chooseScopes({
      challenged: scopesOf(need.challenge?.params.get('scope')),
      earlier: tokens?.requested ?? [],
      configured: options.scopes,
      supported,
    })
    return grant.interactive ? withOfflineAccess(scopes, as) : scopes
  }

  async #prepareKey({ challenge }: Need, { dpopRequired }: Place): Promise<void> {
    const { dpop = 'auto' } = this.#settings.options
    const wanted = dpop === 'always' || (dpop === 'auto' && (challenge?.scheme === 'dpop' || dpopRequired))
    if (wanted) this.#dpop ??= await dpopKey()
  }

  async #refresh(plan: Obtaining, tokens: TokenRecord): Promise<boolean> {
    const response = await refresh(plan, tokens)
    if (response === undefined) {
      // Without a lock another process may have used it first, and left what it got.
      const stored = await this.#settings.records.tokens(plan.place.record).get()
      if (stored === undefined || stored.accessToken === tokens.accessToken) return false
      this.#tokens = stored
      return true
    }
    const { requested, clientId, refreshToken } = tokens
    const renewed = { ...recordOf(response, requested, clientId, this.#dpop) }
    if (renewed.refreshToken === undefined && refreshToken !== undefined) renewed.refreshToken = refreshToken
    this.#unproven = { accessToken: renewed.accessToken, by: 'refresh', until: Date.now() + calmMs }
    await this.#keep(plan.place.record, renewed)
    return true
  }

  async #grant(plan: Obtaining, need: Need): Promise<void> {
    const { dpop } = this.#settings.options
    try {
      const { response, clientId } = await obtain(plan)
      const record = recordOf(response, plan.scopes, clientId, this.#dpop)
      if (record.type !== 'dpop' && (dpop === 'always' || typeof dpop === 'object' || plan.place.dpopRequired)) {
        throw new OAuthError('token', `The authorization server ${plan.place.as.issuer} does not bind tokens to keys`)
      }
      this.#unproven = { accessToken: record.accessToken, by: 'grant', until: Date.now() + calmMs }
      await this.#keep(plan.place.record, record)
    } catch (error) {
      if (need.stepUp) this.#denied.set(scopeKey(scopesOf(need.challenge?.params.get('scope'))), Date.now() + calmMs)
      throw error
    }
  }

  // What is not tried again

  /** The nonce was remembered when the reply came, so the next proof has it. One that is refused too is not the problem. */
  #mayUseNonce(request: AbortSignal): boolean {
    const isFirst = !this.#gotNonce.has(request)
    this.#gotNonce.add(request)
    return isFirst
  }

  #assertNewScopes(wanted: string[]): void {
    const requested = this.#tokens?.requested ?? []
    const isNew = wanted.some((scope) => !requested.includes(scope))
    const isDenied = (this.#denied.get(scopeKey(wanted)) ?? 0) > Date.now()
    if (isNew && !isDenied) return
    const why = isDenied ? 'asking for them has just failed' : 'asking for them did not help'
    throw new OAuthError('scope', `${this.#server.href} wants the scopes ${wanted.join(' ') || '(none named)'}: ${why}`)
  }

  #assertWorthwhile(used: string | undefined): void {
    const { accessToken, by, until } = this.#unproven ?? {}
    if (used === undefined || accessToken !== used || by !== 'grant' || until! < Date.now()) return
    throw new OAuthError('token', `${this.#server.href} refuses the token that was obtained for it a moment ago`)
  }

  #assertSecure(): void {
    const refusal = this.#guard.refusal(this.#server)
    if (refusal !== undefined) throw new OAuthError('discovery', `${this.#server.href} gets no token: ${refusal}`)
  }
}

const scopeKey = (scopes: string[]): string => [...scopes].sort().join(' ')

/** The access token among the headers of a request. */
const tokenIn = ({ Authorization }: HeaderRecord): string | undefined => Authorization?.split(' ')[1]

/** What a header can carry (RFC 6750): anything else would end in another header, or in an error that quotes it. */
const visibleAscii = /^[\x21-\x7e]+$/

function recordOf(
  { access_token, token_type, expires_in, refresh_token, scope }: TokenEndpointResponse,
  requested: readonly string[],
  clientId: string,
  dpop: DpopKey | undefined,
): TokenRecord {
  if (!visibleAscii.test(access_token)) {
    throw new OAuthError('token', 'The access token contains characters that no header can carry')
  }
  const isBound = token_type === 'dpop' && dpop !== undefined
  return {
    accessToken: access_token,
    type: isBound ? 'dpop' : 'bearer',
    requested: [...new Set([...requested, ...scopesOf(scope)])],
    clientId,
    // Some servers say 0 when they do not know.
    ...(expires_in !== undefined &&
      expires_in > 0 && { renewAt: Date.now() + expires_in * 1_000 - Math.min(30_000, expires_in * 100) }),
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(isBound && { key: dpop.thumbprint }),
  }
}
