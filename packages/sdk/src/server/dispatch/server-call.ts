import { McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { isThenable } from '../../internal/maybe-promise.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller-state.ts'
import type { HandlerOwner } from '../definition/handler-owner.ts'
import type { FoundTool } from '../features/find-tool.ts'
import type { MountedParts } from '../mounted-parts.ts'
import { InputRequired } from '../questions/input-required.ts'
import { lazyQuestions } from '../questions/lazy-questions.ts'
import type { OnceSteps } from '../questions/once-steps.ts'
import type { Unawaited } from '../questions/question.ts'
import { type HandlerInput, Interrupted, noInput, type Round } from '../questions/round.ts'
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
  parts: MountedParts | undefined
  owner: HandlerOwner | undefined
  asked = 0
  #unawaited: Unawaited | undefined

  constructor(request: IncomingRequest, caller: CallerState, outlet: Outlet, tool?: FoundTool) {
    this.request = request
    this.caller = caller
    this.outlet = outlet
    this.tool = tool
  }

  contextOf(owner: HandlerOwner): MaybePromise<HandlerContext<never>> {
    this.owner = owner
    const context = owner.contextFor(this.caller)
    return context instanceof Promise ? context.then((made) => this.#context(made)) : this.#context(context)
  }

  /** Made with the first question: most calls ask nothing. */
  get unawaited(): Unawaited {
    this.#unawaited ??= new Set()
    return this.#unawaited
  }

  run(handler: () => unknown): unknown {
    const { round } = this
    // Middleware may wait for its own questions after the handler.
    this.#unawaited = undefined
    const returned = round === undefined ? handler() : round.perform(handler)
    if (isThenable(returned)) return this.#runOn(Promise.resolve(returned), handler)
    return this.#ran(returned, handler)
  }

  tell(method: string, params: JsonObject): MaybePromise<void> {
    const { codec } = this.caller
    if (codec.notifications.server.has(method)) {
      return this.outlet.notify(method, codec.encodeParams(method, params), this.request)
    }
  }

  async #runOn(returning: Promise<unknown>, handler: () => unknown): Promise<unknown> {
    return this.#ran(await returning, handler)
  }

  #ran(returned: unknown, handler: () => unknown): unknown {
    if (returned instanceof InputRequired) return this.#goOn(returned, handler)
    if (this.#unawaited !== undefined && !(returned instanceof Interrupted)) this.#reportUnawaited(this.#unawaited)
    return returned
  }

  #reportUnawaited(unawaited: Unawaited): void {
    const { method, params } = this.request
    const during = method === 'tools/call' ? `tool ${params?.name}` : method
    for (const { name } of unawaited) {
      const problem = `ctx.${name} was not awaited: the handler came to its end without the answer`
      this.owner?.report(new McpError('invalid_argument', problem), during)
    }
    unawaited.clear()
  }

  #goOn(asked: InputRequired, handler: () => unknown): Promise<unknown> {
    return lazyQuestions(({ continueWithInput }) => continueWithInput(this, asked, handler))
  }

  #context(context: unknown): HandlerContext<never> {
    if (this.request.cancelled) throw new McpError('cancelled', 'The request was cancelled before its handler started')
    return new HandlerContext(context as never, this)
  }
}
