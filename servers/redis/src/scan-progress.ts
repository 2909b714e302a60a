import type { RequestContext } from '@tenon/sdk/server'

/** Reports how many of the keys a scan has looked at. Keys may come and go meanwhile, so it is a guess. */
export function scanProgress(ctx: RequestContext, total: number): (keys: number) => unknown {
  let seen = 0
  return (keys) => {
    seen += keys
    return ctx.progress(Math.min(seen, total), total, 'keys looked at')
  }
}
