import { assertScopes } from '../../auth/scope-names.ts'
import { ErrorCode, RpcError } from '../../errors.ts'
import type { Caller } from '../caller.ts'
import type { CallerState } from '../caller-state.ts'
import type { RequestContext } from '../context.ts'
import type { HandlerOwner } from '../definition/handler-owner.ts'
import { isLocal } from './caller-owner.ts'
import type { Visible } from './visibility.ts'

/** The scopes that something needs, and the rule for callers that may know that it exists. */
export interface ScopeRule<App = unknown> {
  readonly needed: readonly string[]
  /** The rule that was given beside the scopes. */
  readonly visible: Visible<App> | undefined
}

/** The rule of a definition; undefined if everybody may use it. */
export function scopeRule<App>(
  { scopes, visible }: { scopes?: readonly string[]; visible?: Visible<App> },
  what: string,
): ScopeRule<App> | undefined {
  if (scopes === undefined) return undefined
  assertScopes(scopes, `${what} scopes`)
  return scopes.length === 0 ? undefined : Object.freeze({ needed: Object.freeze([...new Set(scopes)]), visible })
}

/** The scopes of an item as a rule of visibility like any other, so results for one caller stay private. */
export function visibleWithScopes<App>(
  scopes: ScopeRule<App> | undefined,
  visible: Visible<App> | undefined,
): Visible<App> | undefined {
  if (scopes === undefined) return visible
  return (caller, context) => hasScopes(caller, scopes.needed) && (visible?.(caller, context) ?? true)
}

/** Without a login, the process that started or embeds the server may use all of it, others nothing that needs scopes. */
export function hasScopes(
  { auth, connection }: Pick<Caller, 'auth' | 'connection'>,
  needed: readonly string[],
): boolean {
  if (auth === undefined) return isLocal({ connection })
  const granted = auth.scopes ?? []
  return needed.every((scope) => granted.includes(scope))
}

/** Throws if only scopes are missing. An item that the caller may not know of stays unknown. */
export async function refuseScopes(
  caller: CallerState,
  owner: HandlerOwner,
  { needed, visible }: ScopeRule<never>,
): Promise<void> {
  if (hasScopes(caller, needed)) return
  if (await owner.sees(caller, visible)) throw insufficientScope(needed)
}

/**
 * Throws unless the caller was granted the scopes, for handlers that need more for some arguments than for others. Over
 * HTTP the client is told to ask for them, as by the option `scopes`.
 *
 * @example
 * run({ path }, ctx) {
 *   if (path.startsWith('/etc')) requireScopes(ctx, 'files:system')
 *   …
 */
export function requireScopes({ auth, caller }: Pick<RequestContext, 'auth' | 'caller'>, ...scopes: string[]): void {
  assertScopes(scopes, 'requireScopes')
  if (!hasScopes({ auth, connection: caller.connection }, scopes)) throw insufficientScope(scopes)
}

const insufficientScope = (scopes: readonly string[]): RpcError =>
  new RpcError(ErrorCode.InsufficientScope, `Insufficient scope: this needs ${scopes.join(' ')}`, {
    error: 'insufficient_scope',
    scopes,
  })
