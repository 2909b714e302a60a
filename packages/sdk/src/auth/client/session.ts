import type { TokenEndpointResponse } from 'oauth4webapi'
import type { AuthChallenge, AuthReply, AuthRequest } from '../../http-client/client-auth.ts'
import type { HeaderRecord } from '../../http-client/http-options.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { type Challenge, scopesOf, tokenChallenge } from '../challenge.ts'
import { GuardedFetch } from '../guarded-fetch.ts'
import { OAuthError, withTrace } from '../oauth-error.ts'
import { Trace } from '../trace.ts'
import { type DpopKey, dpopKey } from './dpop.ts'
import type { Grant } from './grants/grant.ts'
import { type Obtaining, obtain, refresh } from './obtain.ts'
import type { OAuthOptions } from './options.ts'
import { Restraint } from './restraint.ts'
import { revoke } from './revoke.ts'
import { chooseScopes, withOfflineAccess } from './scopes.ts'
import { SharedWork } from './shared-work.ts'
import type { Lock, Records, ServerRecord, TokenDescription, TokenRecord } from './stores/store.ts'
import { findTokenSource, recallTokenSource, type TokenSource } from './token-source.ts'

interface SessionSettings {
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

/** Everything about the tokens for one server. */
export class ServerSession {
  readonly #server: URL
  readonly #settings: SessionSettings
  readonly #guard: GuardedFetch
  #serverRecord: ServerRecord | undefined
  #tokens: TokenRecord | undefined
  #loading: Promise<void> | undefined
  #loaded = false
  #work: SharedWork | undefined
  #dpop: DpopKey | undefined
  readonly #restraint: Restraint

  constructor(server: URL, settings: SessionSettings) {
    this.#server = server
    this.#settings = settings
    this.#guard = new GuardedFetch(server, settings.options.network, settings.options.onRequest)
    this.#restraint = new Restraint(server)
  }

  headers(request: AuthRequest): MaybePromise<HeaderRecord> {
    const tokens = this.#tokens
    if (!this.#loaded || tokens === undefined || this.#isStale(tokens) || tokens.type === 'dpop') {
      return this.#freshHeaders(request)
    }
    return { Authorization: `Bearer ${tokens.accessToken}` }
  }

  answered({ url }: AuthRequest, { status, header }: AuthReply): void {
    const nonce = header('dpop-nonce')
    if (nonce !== undefined) this.#dpop?.remember(url, nonce)
    if (status !== 401 && status !== 403) this.#restraint.proven()
  }

  async challenged(refusal: AuthChallenge): Promise<boolean> {
    const { status, sent, signal, wwwAuthenticate } = refusal
    const challenge = tokenChallenge(wwwAuthenticate)
    // A challenge for other credentials is not met with a token, and ending a session is no reason to log in.
    if ((wwwAuthenticate !== undefined && challenge === undefined) || refusal.method === 'DELETE') return false
    const error = challenge?.params.get('error')
    const used = tokenIn(sent)
    if (error === 'use_dpop_nonce' && sent.DPoP !== undefined) return this.#restraint.mayUseNonce(signal)
    if (status === 403 && (error !== 'insufficient_scope' || used === undefined)) return false
    // Another request was refused too, and its answer is here.
    if (this.#tokens !== undefined && this.#tokens.accessToken !== used) return true
    const stepUp = status === 403
    if (stepUp) this.#restraint.assertNewScopes(scopesOf(challenge?.params.get('scope')), this.#tokens?.requested ?? [])
    else this.#restraint.assertWorthwhile(used)
    await this.#share({ early: false, challenge, used, stepUp }, signal)
    return true
  }

  async describe(): Promise<TokenDescription | undefined> {
    await this.#load()
    const tokens = this.#tokens
    if (tokens === undefined) return undefined
    const { issuer, resource } = this.#serverRecord!
    const { requested: scopes, clientId, renewAt, refreshToken } = tokens
    return { issuer, resource, scopes, clientId, renewAt, renewable: refreshToken !== undefined }
  }

  /** Revokes the tokens at the authorization server, and forgets them here; false if it has no endpoint for that. */
  async revoke(): Promise<boolean> {
    await this.#load()
    const tokens = this.#tokens
    const { signal } = new AbortController()
    const need = { early: true, challenge: undefined, used: tokens?.accessToken, stepUp: false }
    try {
      return tokens !== undefined && (await revoke(await this.#plan(need, new Trace(), signal), tokens))
    } finally {
      await this.forget()
    }
  }

  /** Forgets the tokens, here and in the store. */
  async forget(): Promise<void> {
    const { records } = this.#settings
    await this.#load()
    if (this.#serverRecord !== undefined) await records.tokens(this.#serverRecord).delete()
    await records.server(this.#server).delete()
    this.#tokens = undefined
    this.#serverRecord = undefined
    this.#restraint.forget()
  }

  // Headers

  async #freshHeaders({ method, url, signal }: AuthRequest): Promise<HeaderRecord> {
    await this.#load()
    const stale = this.#tokens
    if (stale !== undefined && this.#isStale(stale)) {
      const need = { early: true, challenge: undefined, used: stale.accessToken, stepUp: false }
      // If it fails the server sends a challenge, and a failure of that is worth reporting.
      await this.#share(need, signal).catch(() => signal.aborted || this.#restraint.rest())
    }
    const tokens = this.#tokens
    if (tokens === undefined) return {}
    if (tokens.type === 'dpop') return this.#dpop!.headers(method, url, tokens.accessToken)
    return { Authorization: `Bearer ${tokens.accessToken}` }
  }

  #isStale({ renewAt, refreshToken }: TokenRecord): boolean {
    if (renewAt === undefined || renewAt > Date.now() || this.#restraint.isResting()) return false
    return refreshToken !== undefined || !this.#settings.grant.interactive
  }

  // Stored records

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
    const record = await records.server(this.#server).get()
    const tokens = record && (await records.tokens(record).get())
    // A token that is bound to a key of another process is of no use here.
    if (tokens !== undefined && (tokens.key === undefined || tokens.key === this.#dpop?.thumbprint)) {
      this.#serverRecord = record
      this.#tokens = tokens
    }
    this.#loaded = true
  }

  async #keep(record: ServerRecord, tokens: TokenRecord): Promise<void> {
    const { records, options } = this.#settings
    this.#serverRecord = record
    this.#tokens = tokens
    // A key that was made here dies here, and its tokens with it.
    if (tokens.key !== undefined && typeof options.dpop !== 'object') return
    await records.tokens(record).set(tokens)
    await records.server(this.#server).set(record)
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
    const trace = new Trace()
    try {
      await this.#renewWith(await this.#plan(need, trace, signal), need)
    } catch (error) {
      throw withTrace(error, trace)
    }
  }

  async #renewWith(plan: Obtaining, need: Need): Promise<void> {
    const tokens = this.#tokensOf(plan.source.record)
    const mayRefresh = !need.stepUp && this.#restraint.mayRefresh(need.used)
    if (tokens !== undefined && mayRefresh && (await this.#refresh(plan, tokens))) return
    // The user is not disturbed before the server insists.
    if (need.early && this.#settings.grant.interactive) return
    await this.#grant(plan, need)
  }

  /** Finds the authorization server, and the scopes and keys for it. */
  async #plan(need: Need, trace: Trace, signal: AbortSignal): Promise<Obtaining> {
    const { grant, options, records } = this.#settings
    const source = await this.#find(need, trace, signal)
    const tokens = this.#tokensOf(source.record)
    const scopes = this.#scopesFor(need, source, tokens)
    await this.#prepareKey(need, source)
    const own = { server: this.#server, knownIssuer: this.#serverRecord?.issuer, dpop: this.#dpop, guard: this.#guard }
    return { ...own, source, grant, options, records, scopes, trace, signal }
  }

  async #find(need: Need, trace: Trace, signal: AbortSignal): Promise<TokenSource> {
    const { options } = this.#settings
    const warn = options.onWarning ?? (() => {})
    const onIssuerMismatch = options.deviations?.issuerMismatch ?? 'refuse'
    const discovery = { guard: this.#guard, trace, signal, warn, onIssuerMismatch }
    if (need.early && this.#serverRecord !== undefined) {
      return recallTokenSource(this.#serverRecord, this.#server, discovery)
    }
    return findTokenSource(this.#server, need.challenge, options, discovery)
  }

  /** The tokens of this source: those of another authorization server are not for this one (auth.asbind.*). */
  #tokensOf({ issuer, resource }: ServerRecord): TokenRecord | undefined {
    const known = this.#serverRecord
    return known?.issuer === issuer && known.resource === resource ? this.#tokens : undefined
  }

  #scopesFor(need: Need, { as, scopes: supported }: TokenSource, tokens: TokenRecord | undefined): string[] {
    const { options, grant } = this.#settings
    const scopes = chooseScopes({
      challenged: scopesOf(need.challenge?.params.get('scope')),
      earlier: tokens?.requested ?? [],
      configured: options.scopes,
      supported,
    })
    return grant.interactive ? withOfflineAccess(scopes, as) : scopes
  }

  async #prepareKey({ challenge }: Need, { dpopRequired }: TokenSource): Promise<void> {
    const { dpop = 'auto' } = this.#settings.options
    const wanted = dpop === 'always' || (dpop === 'auto' && (challenge?.scheme === 'dpop' || dpopRequired))
    if (wanted) this.#dpop ??= await dpopKey()
  }

  async #refresh(plan: Obtaining, tokens: TokenRecord): Promise<boolean> {
    const response = await refresh(plan, tokens)
    if (response === undefined) {
      // Without a lock another process may have used it first, and stored its new tokens.
      const stored = await this.#settings.records.tokens(plan.source.record).get()
      if (stored === undefined || stored.accessToken === tokens.accessToken) return false
      this.#tokens = stored
      return true
    }
    const { requested, clientId, refreshToken } = tokens
    const renewed = { ...recordOf(response, requested, clientId, this.#dpop) }
    if (renewed.refreshToken === undefined && refreshToken !== undefined) renewed.refreshToken = refreshToken
    this.#restraint.obtained(renewed.accessToken, 'refresh')
    await this.#keep(plan.source.record, renewed)
    return true
  }

  async #grant(plan: Obtaining, need: Need): Promise<void> {
    const { dpop } = this.#settings.options
    try {
      const { response, clientId } = await obtain(plan)
      const record = recordOf(response, plan.scopes, clientId, this.#dpop)
      if (record.type !== 'dpop' && (dpop === 'always' || typeof dpop === 'object' || plan.source.dpopRequired)) {
        throw new OAuthError('token', `The authorization server ${plan.source.as.issuer} does not bind tokens to keys`)
      }
      this.#restraint.obtained(record.accessToken, 'grant')
      await this.#keep(plan.source.record, record)
    } catch (error) {
      if (need.stepUp) this.#restraint.denied(scopesOf(need.challenge?.params.get('scope')))
      throw error
    }
  }

  #assertSecure(): void {
    const refusal = this.#guard.refusal(this.#server)
    if (refusal !== undefined) throw new OAuthError('discovery', `${this.#server.href} gets no token: ${refusal}`)
  }
}

/** The access token among the headers of a request. */
const tokenIn = ({ Authorization }: HeaderRecord): string | undefined => Authorization?.split(' ')[1]

/** The form of a token in a header (RFC 6750): others would end in another header, or in an error that quotes them. */
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
