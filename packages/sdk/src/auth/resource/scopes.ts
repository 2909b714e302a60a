import { McpError } from '../../errors.ts'
/** Which narrower scopes a broader one includes, such as `{ 'files:write': ['files:read'] }`. */
export type ImpliedScopes = { readonly [scope: string]: readonly string[] }

/** RFC 6749 section 3.3. Anything else would break out of the challenge. */
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Checks scopes that somebody wrote down; throws a `TypeError` at once instead of sending a challenge nobody can meet. */
export function assertScopes(scopes: readonly string[], option: string): void {
  for (const scope of scopes) {
    if (!scopePattern.test(scope))
      throw new McpError('invalid_definition', `${option}: ${JSON.stringify(scope)} is no scope`)
    // auth.refresh.server-no-offline-access: it is about the client and its issuer.
    if (scope === 'offline_access')
      throw new McpError('invalid_definition', `${option}: offline_access is nothing a resource asks for`)
  }
}

/** The scopes of a token, whichever way its issuer writes them. */
export function scopesOfClaims({ scope, scp }: { [claim: string]: unknown }): string[] {
  const found = scope ?? scp
  if (typeof found === 'string') return found.split(' ').filter((word) => word !== '')
  return Array.isArray(found) ? found.filter((word) => typeof word === 'string') : []
}

/** The scopes, and everything they include (auth.scope403.hierarchy). */
export function withImplied(granted: readonly string[], implied: ReadonlyMap<string, readonly string[]>): string[] {
  const all = new Set(granted)
  for (const scope of all) for (const narrower of implied.get(scope) ?? []) all.add(narrower)
  return [...all]
}
