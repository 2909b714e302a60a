import { monotonicMs } from '../../internal/monotonic-ms.ts'
import { OAuthError } from '../oauth-error.ts'

/** How long a scope that was not granted, and a token that was never accepted, are not requested again. */
const calmMs = 60_000
const restMs = 10_000

/** Attempts that are not repeated: a server must not make the user agree, or this client ask, without end. */
export class Restraint {
  readonly #server: URL
  /** A token that was just obtained, until the server takes it. */
  #unproven: { accessToken: string; by: 'grant' | 'refresh'; until: number } | undefined
  /** Scopes that were requested in vain. */
  readonly #denied = new Map<string, number>()
  /** The requests that were refused for want of a nonce, each by its signal. */
  readonly #gotNonce = new WeakSet<AbortSignal>()
  /** Renewing early failed; until then the token is used for as long as the server takes it. */
  #restsUntil = 0

  constructor(server: URL) {
    this.#server = server
  }

  obtained(accessToken: string, by: 'grant' | 'refresh'): void {
    this.#unproven = { accessToken, by, until: monotonicMs() + calmMs }
  }

  /** The server took a token. */
  proven(): void {
    this.#unproven = undefined
  }

  denied(scopes: string[]): void {
    this.#denied.set(scopeKey(scopes), monotonicMs() + calmMs)
  }

  rest(): void {
    this.#restsUntil = monotonicMs() + restMs
  }

  isResting(): boolean {
    return this.#restsUntil > monotonicMs()
  }

  forget(): void {
    this.#unproven = undefined
    this.#denied.clear()
    this.#restsUntil = 0
  }

  /** The nonce was remembered when the reply came, so the next proof has it. One that is refused too is not the problem. */
  mayUseNonce(request: AbortSignal): boolean {
    const isFirst = !this.#gotNonce.has(request)
    this.#gotNonce.add(request)
    return isFirst
  }

  /** A token that refreshing brought is not helped by refreshing again. */
  mayRefresh(used: string | undefined): boolean {
    return this.#unproven === undefined || this.#unproven.accessToken !== used
  }

  assertNewScopes(wanted: string[], requested: readonly string[]): void {
    const isNew = wanted.some((scope) => !requested.includes(scope))
    const isDenied = (this.#denied.get(scopeKey(wanted)) ?? 0) > monotonicMs()
    if (isNew && !isDenied) return
    const why = isDenied ? 'asking for them has just failed' : 'asking for them did not help'
    throw new OAuthError('scope', `${this.#server.href} wants the scopes ${wanted.join(' ') || '(none named)'}: ${why}`)
  }

  /** A server that refuses the token of a fresh consent would refuse the next one too. */
  assertWorthwhile(used: string | undefined): void {
    const { accessToken, by, until } = this.#unproven ?? {}
    if (used === undefined || accessToken !== used || by !== 'grant' || until! < monotonicMs()) return
    throw new OAuthError('token', `${this.#server.href} refuses the token that was obtained for it a moment ago`)
  }
}

const scopeKey = (scopes: string[]): string => [...scopes].sort().join(' ')
