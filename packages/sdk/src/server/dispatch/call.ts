import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller-state.ts'
import type { ToolContext } from '../context.ts'
import type { HandlerOwner } from '../definition/handler-owner.ts'
import type { FoundTool } from '../features/find-tool.ts'
import type { MountedParts } from '../mounted-parts.ts'
import type { OnceSteps } from '../questions/once-steps.ts'
import type { Unawaited } from '../questions/question.ts'
import type { RoundCall } from '../questions/round.ts'
import type { TaskHandle } from '../tasks/task-handle.ts'
import type { Outlet } from './outlet.ts'

/** One request on its way through a server: who sent it, and where messages about it go. */
export interface Call extends RoundCall {
  readonly request: IncomingRequest
  readonly caller: CallerState
  readonly outlet: Outlet
  /** The steps of `ctx.once` where there are no rounds. */
  steps: OnceSteps | undefined
  /** The task that the call is or may become; absent for ordinary calls. */
  task: TaskHandle | undefined
  /** The tool that is called, once it was looked up. */
  tool: FoundTool | undefined
  /** The mounted servers with backends, if the server that is asked has any. */
  parts: MountedParts | undefined
  /** The server whose handler runs. */
  owner: HandlerOwner | undefined
  readonly unawaited: Unawaited
  /** How many questions were asked. */
  asked: number
  /**
   * The context for handlers of a server; a promise only if its user context is one. Throws if the request was
   * cancelled: a handler that starts afterwards would wait for an abort that has been.
   */
  contextOf(owner: HandlerOwner): MaybePromise<ToolContext<never>>
  /** Runs a handler: to its return value, or to an `Interrupted` if it has to be run again. A promise only if it waits. */
  run(handler: () => unknown): unknown
  /** Sends a notification about the request, if the revision has it. */
  tell(method: string, params: JsonObject): MaybePromise<void>
}
