/** The caches that may keep a result: shared ones, or only that of the caller it was made for. */
export type CacheScope = 'public' | 'private'

/** The caching hints of a result, from 2026-07-28. */
export interface CacheHints {
  /** How long the result stays fresh, in milliseconds. */
  ttlMs?: number
  cacheScope?: CacheScope
}
