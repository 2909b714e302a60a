import type { Middleware } from '@tenon/sdk/server'
import type { ClientState } from './client-state.ts'

/** Counts every operation of a client; `describe_connection` shows the numbers. */
export const countOperations: Middleware<ClientState> = (operation, next) => {
  const { operations } = operation.ctx.context
  operations.set(operation.method, (operations.get(operation.method) ?? 0) + 1)
  return next()
}

/**
 * Measures tool calls: the time goes to the client's log. It also goes into the `_meta` of the result if that of the request
 * has `dev.tenon/timing`; not otherwise, as some hosts then show the model the whole result as JSON.
 */
export const timeTools: Middleware<ClientState> = {
  'tools/call': async ({ params, ctx }, next) => {
    const start = performance.now()
    const result = await next()
    const elapsedMs = Math.round(performance.now() - start)
    ctx.log('debug', { tool: params.name, elapsedMs }, 'timing')
    if (ctx.meta?.['dev.tenon/timing'] !== true) return result
    return { ...result, _meta: { ...result._meta, 'dev.tenon/elapsedMs': elapsedMs } }
  },
}
