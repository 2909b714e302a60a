import type { AuthorizationServer } from 'oauth4webapi'

interface ScopeSources {
  /** Of the challenge. */
  challenged: readonly string[]
  /** The scopes of earlier requests. */
  earlier: readonly string[]
  /** The configured scopes. */
  configured: readonly string[] | undefined
  /** The scopes in the metadata of the resource. */
  supported: readonly string[] | undefined
}

/**
 * The scopes to request: those of the challenge, else the configured ones, else those that the server supports,
 * together with all earlier ones (auth.scope.first-challenge, auth.scope.then-supported, auth.stepup.union).
 */
export function chooseScopes({ challenged, earlier, configured, supported }: ScopeSources): string[] {
  const base =
    challenged.length > 0 || configured !== undefined ? [...challenged, ...(configured ?? [])] : (supported ?? [])
  return [...new Set([...earlier, ...base])]
}

/** Adds `offline_access` where it is supported (auth.refresh.offline-access). */
export function withOfflineAccess(scopes: string[], { scopes_supported }: AuthorizationServer): string[] {
  // Alone it would take the place of the server's own default.
  if (scopes.length === 0 || scopes.includes('offline_access') || !scopes_supported?.includes('offline_access')) {
    return scopes
  }
  return [...scopes, 'offline_access']
}
