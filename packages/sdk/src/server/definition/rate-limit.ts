import { ErrorCode, RpcError } from '../../errors.ts'
import { checkRate, type Rate, TokenBuckets } from '../../internal/token-bucket.ts'
import type { Caller } from '../caller.ts'
import type { Middleware, Next, Operation, OperationName } from './middleware.ts'

/** How often one caller may do each of these. */
export type RateLimits = { [M in OperationName]?: Rate }

/**
 * Middleware that bounds how often each caller may do something. Who is authenticated has a rate of its own; all others
 * on one transport share one, because a new connection costs them nothing.
 *
 * @example
 * createServer({ name: 'a', version: '1', middleware: [rateLimit({ 'tools/call': { perMinute: 60 } })] })
 */
export function rateLimit(limits: RateLimits): Middleware {
  const layers = Object.entries(limits).map(([method, rate]) => {
    checkRate(rate, `rateLimit ${method}`)
    return [method, layerFor(rate)]
  })
  return Object.fromEntries(layers) as Middleware
}

function layerFor(rate: Rate) {
  const buckets = new TokenBuckets(rate)
  return async ({ method, ctx }: Operation<OperationName, unknown>, next: Next<OperationName>) => {
    const retryAfterMs = buckets.take(keyOf(ctx.caller))
    if (retryAfterMs === 0) return next()
    const often = `${rate.perMinute} times a minute`
    throw new RpcError(ErrorCode.InternalError, `Too many requests: ${method} is allowed ${often}`, { retryAfterMs })
  }
}

const keyOf = ({ auth, connection }: Caller): string =>
  auth === undefined ? `anybody on ${connection.transport}` : `principal ${auth.principal}`
