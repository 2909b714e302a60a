import { McpError } from '../errors.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { CallerState } from './caller.ts'
import { HandlerContext, type Outlet } from './context.ts'
import type { Definition } from './definition.ts'

/** One request on its way through a server: who asked, and where messages about it go. */
export class Call {
  readonly request: IncomingRequest
  readonly caller: CallerState
  readonly outlet: Outlet

  constructor(request: IncomingRequest, caller: CallerState, outlet: Outlet) {
    this.request = request
    this.caller = caller
    this.outlet = outlet
  }

  /**
   * The context for handlers of a definition; a promise only if its user context is one. Throws if the request was
   * cancelled: a handler that starts afterwards would wait for an abort that has been.
   */
  contextOf(definition: Definition): HandlerContext<never> | Promise<HandlerContext<never>> {
    const context = definition.contextFor(this.caller)
    return context instanceof Promise ? context.then((made) => this.#context(made)) : this.#context(context)
  }

  #context(context: unknown): HandlerContext<never> {
    if (this.request.cancelled) throw new McpError('cancelled', 'The request was cancelled before its handler started')
    return new HandlerContext(context as never, this.request, this.caller, this.outlet)
  }
}
