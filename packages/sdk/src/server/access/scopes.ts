import { assertScopes } from '../../auth/scope-names.ts'
import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Caller } from '../caller.ts'
import type { CallerState } from '../caller-state.ts'
import type { RequestContext } from '../context.ts'
import type { HandlerOwner } from '../definition/handler-owner.ts'
import { isLocal } from './caller-owner.ts'
import type { Visible } from './visibility.ts'

/** The scopes that callers need: alone, or with the choice whether callers without them see the item in lists. */
export type NeededScopes =
  | readonly string[]
  | {
      readonly needed: readonly string[]
      /** Callers without the scopes see the item too, so that a model can use it and its client asks the user for them. */
      readonly listed?: boolean
    }

/** The scopes that something needs, and the rule for callers that may know that it exists. */
export interface ScopeRule<App = unknown> {
  readonly needed: readonly string[]
  /** True if lists show it to callers without the scopes. */
  readonly listed: boolean
  /** The rule that was given beside the scopes. */
  readonly visible: Visible<App> | undefined
}

/** The rule of a definition; undefined if everybody may use it. */
export function scopeRule<App>(
  { scopes, visible }: { scopes?: NeededScopes; visible?: Visible<App> },
  what: string,
): ScopeRule<App> | undefined {
  if (scopes === undefined) return undefined
  const { needed, listed = false } = isObject(scopes) ? readNeeds(scopes, `${what} scopes`) : { needed: scopes }
  assertScopes(needed as readonly string[], isObject(scopes) ? `${what} scopes.needed` : `${what} scopes`)
  const all = new Set(needed as readonly string[])
  return all.size === 0 ? undefined : Object.freeze({ needed: Object.freeze([...all]), listed, visible })
}

function readNeeds(scopes: JsonObject, what: string): { needed: unknown; listed?: boolean } {
  const unknown = Object.keys(scopes).find((name) => name !== 'needed' && name !== 'listed')
  const { needed, listed = false } = scopes
  if (unknown === undefined && typeof listed === 'boolean') return { needed, listed }
  const found = unknown === undefined ? `listed: ${describe(listed)}` : JSON.stringify(unknown)
  throw new McpError('invalid_definition', `${what}: expected scopes, or needed and listed (a boolean), got ${found}`)
}

/** The rule of who sees an item in lists: it may be shown to callers that lack the scopes to use it. */
export const listRule = <App>({ visible, scopes }: ListedFor<App>): Visible<App> | undefined =>
  scopes?.listed ? scopes.visible : visible

/** The rules of an item. */
interface ListedFor<App> {
  readonly visible: Visible<App> | undefined
  readonly scopes: ScopeRule<App> | undefined
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
