/** Who may keep a result: everybody who is given it, or only the caller that it was made for. */
export type CacheScope = 'public' | 'private'

/** What a result says about being kept, from 2026-07-28. */
export interface CacheHints {
  /** How long the result stays fresh, in milliseconds. */
  ttlMs?: number
  cacheScope?: CacheScope
}
