/** Which narrower scopes a broader one includes, such as `{ 'files:write': ['files:read'] }`. */
export type ImpliedScopes = { readonly [scope: string]: readonly string[] }

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
