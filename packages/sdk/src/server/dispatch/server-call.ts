import { McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { isThenable } from '../../internal/maybe-promise.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller-state.ts'
import type { HandlerOwner } from '../definition/handler-owner.ts'
import type { FoundTool } from '../features/find-tool.ts'
import type { ServerLimits } from '../limits.ts'
import { InputRequired } from '../questions/input-required.ts'
import { lazyQuestions } from '../questions/lazy-questions.ts'
import type { OnceSteps } from '../questions/once-steps.ts'
import { type HandlerInput, noInput, type Round } from '../questions/round.ts'
import type { TaskHandle } from '../tasks/task-handle.ts'
import type { Call } from './call.ts'
import { HandlerContext } from './handler-context.ts'
import type { Outlet } from './outlet.ts'

/** The one implementation of a call. */
export class ServerCall implements Call {
  readonly request: IncomingRequest
  readonly caller: CallerState
  readonly outlet: Outlet
  round: Round | undefined
  steps: OnceSteps | undefined
  input: HandlerInput = noInput
  task: TaskHandle | undefined
  tool: FoundTool | undefined
  limits: ServerLimits | undefined
  asked = 0

  constructor(request: IncomingRequest, caller: CallerState, outlet: Outlet, tool?: FoundTool) {
    this.request = request
    this.caller = caller
    this.outlet = outlet
    this.tool = tool
  }

  contextOf(owner: HandlerOwner): MaybePromise<HandlerContext<never>> {
    this.limits = owner.options.limits
    const context = owner.contextFor(this.caller)
    return context instanceof Promise ? context.then((made) => this.#context(made)) : this.#context(context)
  }

  run(handler: () => unknown): unknown {
    const { round } = this
    const returned = round === undefined ? handler() : round.perform(handler)
    if (isThenable(returned)) return this.#runOn(Promise.resolve(returned), handler)
    return returned instanceof InputRequired ? this.#goOn(returned, handler) : returned
  }

  tell(method: string, params: JsonObject): MaybePromise<void> {
    const { codec } = this.caller
    if (codec.notifications.server.has(method)) {
      return this.outlet.notify(method, codec.encodeParams(method, params), this.request)
    }
  }

  async #runOn(returning: Promise<unknown>, handler: () => unknown): Promise<unknown> {
    const returned = await returning
    return returned instanceof InputRequired ? this.#goOn(returned, handler) : returned
  }

  #goOn(asked: InputRequired, handler: () => unknown): Promise<unknown> {
    return lazyQuestions(({ continueWithInput }) => continueWithInput(this, asked, handler))
  }

  #context(context: unknown): HandlerContext<never> {
    if (this.request.cancelled) throw new McpError('cancelled', 'The request was cancelled before its handler started')
    return new HandlerContext(context as never, this)
  }
}
