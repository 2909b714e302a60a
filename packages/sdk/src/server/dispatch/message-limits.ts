import { TokenBuckets } from '../../internal/token-bucket.ts'
import type { ServerLimits } from '../limits.ts'
import type { Call } from './call.ts'

/** The messages of a server that have a rate, by its limits. */
const progressBuckets = new WeakMap<ServerLimits, TokenBuckets>()
const logBuckets = new WeakMap<ServerLimits, TokenBuckets>()

/** True if a call reported progress more often than `maxProgressPerSecond` allows. */
export function exceedsProgressRate({ owner, request }: Call): boolean {
  const limits = owner?.options.limits
  const perSecond = limits?.maxProgressPerSecond
  if (perSecond === undefined) return false
  const buckets = progressBuckets.get(limits!) ?? new TokenBuckets({ perMinute: perSecond * 60, burst: perSecond })
  progressBuckets.set(limits!, buckets)
  return buckets.take(request) > 0
}

/**
 * True if the client of a call got as many log messages as `maxLogsPerMinute` allows. A principal is one client, on all of
 * its connections and in all of its requests; without authentication a connection is, and all requests without one are.
 */
export function exceedsLogRate({ owner, caller, outlet }: Call): boolean {
  const limits = owner?.options.limits
  const perMinute = limits?.maxLogsPerMinute
  if (perMinute === undefined) return false
  const buckets = logBuckets.get(limits!) ?? new TokenBuckets({ perMinute })
  logBuckets.set(limits!, buckets)
  return buckets.take(caller.auth?.principal ?? outlet.client) > 0
}
