import type { Sink } from '../../jsonrpc/channel.ts'
import { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { AuthInfo } from '../caller.ts'
import type { CallerState } from '../caller-state.ts'
import { HandlerContext } from '../dispatch/handler-context.ts'
import type { Outlet } from '../dispatch/outlet.ts'
import { ServerCall } from '../dispatch/server-call.ts'
import type { ServerOptions } from '../options.ts'

/** Stands for the request that a question about new roots belongs to. */
const rootsEvent = { jsonrpc: '2.0', id: 0, method: 'notifications/roots/list_changed' } as const

type OnRootsChanged = NonNullable<ServerOptions['onRootsChanged']>

/** Calls `onRootsChanged`. Changes that come while it runs lead to one more call: a client cannot pile them up. */
export class RootsChanges {
  readonly #handle: OnRootsChanged
  readonly #report: (error: unknown) => void
  #state: 'idle' | 'running' | 'again' = 'idle'

  constructor(handle: OnRootsChanged, report: (error: unknown) => void) {
    this.#handle = handle
    this.#report = report
  }

  async changed(session: CallerState, auth: AuthInfo | undefined, outlet: Outlet, sink: Sink): Promise<void> {
    if (this.#state !== 'idle') {
      this.#state = 'again'
      return
    }
    const caller = session.as(auth)
    const ctx = new HandlerContext(undefined, new ServerCall(new IncomingRequest(rootsEvent, sink), caller, outlet))
    do {
      this.#state = 'running'
      try {
        await this.#handle(() => ctx.roots(), caller)
      } catch (error) {
        this.#report(error)
      }
    } while (this.#changedAgain())
    this.#state = 'idle'
  }

  #changedAgain(): boolean {
    return this.#state === 'again'
  }
}
