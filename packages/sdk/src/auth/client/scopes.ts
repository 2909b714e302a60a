import type { AuthorizationServer } from 'oauth4webapi'

export interface ScopeSources {
  /** Of the challenge. */
  challenged: readonly string[]
  /** What was asked for before. */
  earlier: readonly string[]
  /** What the user of the library wants. */
  configured: readonly string[] | undefined
  /** What the metadata of the resource lists. */
  supported: readonly string[] | undefined
}

/**
 * The scopes to ask for: what the challenge says, else what was configured, else what the server supports, with
 * everything that was asked for before (auth.scope.first-challenge, auth.scope.then-supported, auth.stepup.union).
 */
export function chooseScopes({ challenged, earlier, configured, supported }: ScopeSources): string[] {
  const base =
    challenged.length > 0 || configured !== undefined ? [...challenged, ...(configured ?? [])] : (supported ?? [])
  return [...new Set([...earlier, ...base])]
}

/** Adds `offline_access` where it can be asked for (auth.refresh.offline-access). */
export function withOfflineAccess(scopes: string[], { scopes_supported }: AuthorizationServer): string[] {
  // Alone it would take the place of the server's own default.
  if (scopes.length === 0 || scopes.includes('offline_access') || !scopes_supported?.includes('offline_access')) {
    return scopes
  }
  return [...scopes, 'offline_access']
}
