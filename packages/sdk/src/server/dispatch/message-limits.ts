import { type Rate, TokenBucket, TokenBuckets } from '../../token-bucket.ts'
import type { ServerLimits } from '../limits.ts'
import type { Call } from './call.ts'

const allowances = new WeakMap<object, TokenBucket>()

/** True if something was done more often about this object than the rate allows; it must not be done then. */
export function exceedsRate(about: object, rate: Rate): boolean {
  const allowance = allowances.get(about) ?? new TokenBucket(rate)
  allowances.set(about, allowance)
  return allowance.take() > 0
}

/** What is left of `maxLogsPerMinute`, for each client of a server. */
interface LogAllowances {
  readonly ofPrincipal: TokenBuckets
  readonly ofClient: WeakMap<object, TokenBucket>
}

const logAllowances = new WeakMap<ServerLimits, LogAllowances>()

/**
 * True if the client of a call got as many log messages as it may. A principal is one client, on all of its connections
 * and in all of its requests; without authentication a connection is, and all requests that come without one are.
 */
export function exceedsLogRate(limits: ServerLimits, perMinute: number, { caller, outlet }: Call): boolean {
  const rate = { perMinute }
  const known = logAllowances.get(limits) ?? { ofPrincipal: new TokenBuckets(rate), ofClient: new WeakMap() }
  logAllowances.set(limits, known)
  if (caller.auth !== undefined) return known.ofPrincipal.of(caller.auth.principal).take() > 0
  const allowance = known.ofClient.get(outlet.client) ?? new TokenBucket(rate)
  known.ofClient.set(outlet.client, allowance)
  return allowance.take() > 0
}
