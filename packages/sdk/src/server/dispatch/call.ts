import { McpError } from '../../errors.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { isThenable } from '../../soon.ts'
import type { CallerState } from '../caller.ts'
import { HandlerContext, type Outlet } from '../context.ts'
import type { Definition } from '../definition/definition.ts'
import type { ServerLimits } from '../options.ts'
import { InputRequired } from '../questions/input-required.ts'
import { lazyQuestions } from '../questions/lazy-questions.ts'
import type { OnceSteps } from '../questions/once-steps.ts'
import type { Round } from '../questions/round.ts'
import type { TaskHandle } from '../tasks/task-handle.ts'

/** What came back from the client for a handler that keeps track of rounds itself. */
export interface Input {
  readonly responses: { readonly [key: string]: JsonObject }
  readonly state: unknown
}

const noInput: Input = { responses: {}, state: undefined }

/** One request on its way through a server: who asked, and where messages about it go. */
export class Call {
  readonly request: IncomingRequest
  readonly caller: CallerState
  readonly outlet: Outlet
  /** How questions are asked where a server only answers; absent where it asks at once, or not at all. */
  round: Round | undefined
  /** What `ctx.once` did where there are no rounds. */
  steps: OnceSteps | undefined
  input: Input = noInput
  /** The task that the call is or may become; absent for ordinary calls. */
  task: TaskHandle | undefined
  /** The bounds of the server whose handler runs. */
  limits: ServerLimits | undefined
  /** How many questions were asked. */
  asked = 0

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
    this.limits = definition.options.limits
    const context = definition.contextFor(this.caller)
    return context instanceof Promise ? context.then((made) => this.#context(made)) : this.#context(context)
  }

  /** Runs a handler: to what it returns, or to an `Interrupted` if it has to be run again. A promise only if it waits. */
  run(handler: () => unknown): unknown {
    const { round } = this
    const returned = round === undefined ? handler() : round.perform(handler)
    if (isThenable(returned)) return this.#runOn(Promise.resolve(returned), handler)
    return returned instanceof InputRequired ? this.#goOn(returned, handler) : returned
  }

  async #runOn(returning: Promise<unknown>, handler: () => unknown): Promise<unknown> {
    const returned = await returning
    return returned instanceof InputRequired ? this.#goOn(returned, handler) : returned
  }

  /** Sends a notification about the request, if the revision has it. */
  tell(method: string, params: JsonObject): void | Promise<void> {
    const { codec } = this.caller
    if (codec.notifications.server.has(method)) {
      return this.outlet.notify(method, codec.encodeParams(method, params), this.request)
    }
  }

  #goOn(asked: InputRequired, handler: () => unknown): Promise<unknown> {
    return lazyQuestions(({ continueWithInput }) => continueWithInput(this, asked, handler))
  }

  #context(context: unknown): HandlerContext<never> {
    if (this.request.cancelled) throw new McpError('cancelled', 'The request was cancelled before its handler started')
    return new HandlerContext(context as never, this)
  }
}
