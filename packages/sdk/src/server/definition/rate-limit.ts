import { ErrorCode, RpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { checkRate, type Rate, TokenBuckets } from '../../internal/token-bucket.ts'
import type { Caller } from '../caller.ts'
import type { Middleware, Next, Operation, OperationName } from './middleware.ts'

/** How often one caller may do each of these. */
export type RateLimits = { [M in OperationName]?: Rate }

/** Counts uses. Processes that share one bound the uses of all of them together. */
export interface RateStore {
  /** Takes one use of a key at a rate, or returns the milliseconds until there will be one. */
  take(key: string, rate: Rate): MaybePromise<number>
}

export interface RateLimitOptions {
  /** Shared by the processes of a server, such as `RedisRates` of `@tenon/redis`. Default: each process counts its own. */
  store?: RateStore
}

/**
 * Middleware that bounds how often each caller may do something. Who is authenticated has a rate of its own; all others
 * on one transport share one, because a new connection costs them nothing.
 *
 * @example
 * createServer({ name: 'a', version: '1', middleware: [rateLimit({ 'tools/call': { perMinute: 60 } })] })
 */
export function rateLimit(limits: RateLimits, { store }: RateLimitOptions = {}): Middleware {
  const layers = Object.entries(limits).map(([method, rate]) => {
    checkRate(rate, `rateLimit ${method}`)
    return [method, layerFor(rate, store ?? new TokenBuckets(rate))]
  })
  return Object.fromEntries(layers) as Middleware
}

function layerFor(rate: Rate, store: RateStore) {
  return async ({ method, ctx }: Operation<OperationName, unknown>, next: Next<OperationName>) => {
    const retryAfterMs = await store.take(`${method} ${keyOf(ctx.caller)}`, rate)
    if (retryAfterMs === 0) return next()
    const often = `${rate.perMinute} times a minute`
    throw new RpcError(ErrorCode.InternalError, `Too many requests: ${method} is allowed ${often}`, { retryAfterMs })
  }
}

const keyOf = ({ auth, connection }: Caller): string =>
  auth === undefined ? `anybody on ${connection.transport}` : `principal ${auth.principal}`
