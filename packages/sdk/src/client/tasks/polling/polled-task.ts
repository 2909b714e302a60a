import { McpError } from '../../../errors.ts'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import type { DetailedTask, Task, TaskStatus } from '../../../model/tasks.ts'
import type { TaskHost } from '../task-host.ts'

/** Reads the states of a task. Gives its result as soon as there is one. */
export interface TaskResultReader {
  read(task: DetailedTask): MaybePromise<JsonObject | undefined>
}

/** A task that is being polled. */
export interface PolledTask {
  readonly id: string
  readonly host: TaskHost
  readonly timeoutMs: number
  /** Fires when the task is not polled any more. */
  readonly signal: AbortSignal
  call(method: string, params?: JsonObject): Promise<JsonObject>
  get(): Promise<DetailedTask>
  /** Given the status too if no poll saw the end of the task. */
  finish(result: JsonObject, status?: TaskStatus): void
  stop(error: Error): void
}

/** The error for a task that was cancelled at the server. */
export const wasCancelled = ({ taskId, statusMessage }: Task): McpError =>
  new McpError(
    'cancelled',
    `The task ${JSON.stringify(taskId)} was cancelled${statusMessage ? `: ${statusMessage}` : ''}`,
  )
