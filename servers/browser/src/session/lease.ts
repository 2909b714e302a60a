import type { Caller, Middleware } from '@tenon/sdk/server'
import type { Sessions } from './sessions.ts'

/**
 * The context of a connection. Some last as long as their connection, others as long as one request. One that served a
 * second request is of the first kind: its end is the end of the client, and of the client's session.
 */
export class Lease implements AsyncDisposable {
  readonly #sessions: Sessions
  readonly #caller: Caller
  #requests = 0

  constructor(sessions: Sessions, caller: Caller) {
    this.#sessions = sessions
    this.#caller = caller
  }

  count(): void {
    this.#requests++
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#requests > 1) await this.#sessions.endOf(this.#caller)
  }
}

/** Counts the requests of each context. */
export const countRequests: Middleware<Lease> = ({ ctx }, next) => {
  ctx.context.count()
  return next()
}
