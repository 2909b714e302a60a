import { McpError } from '../../../errors.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import type { DetailedTask, Task, TaskStatus } from '../../../model/tasks.ts'
import type { TaskHost } from '../task-host.ts'

/** What to do about a task in the state in which it was seen. Gives its result once that is there. */
export interface TaskResultReader {
  see(task: DetailedTask): JsonObject | undefined | Promise<JsonObject | undefined>
}

/** A task that is being polled. */
export interface PolledTask {
  readonly id: string
  readonly host: TaskHost
  readonly timeoutMs: number
  /** Fires when the task is not looked after any more. */
  readonly signal: AbortSignal
  call(method: string, params?: JsonObject): Promise<JsonObject>
  look(): Promise<DetailedTask>
  /** Told the status too where nobody saw that the task had ended. */
  finish(result: JsonObject, status?: TaskStatus): void
  stop(error: Error): void
}

/** What to throw when a task was cancelled at the server. */
export const wasCancelled = ({ taskId, statusMessage }: Task): McpError =>
  new McpError(
    'cancelled',
    `The task ${JSON.stringify(taskId)} was cancelled${statusMessage ? `: ${statusMessage}` : ''}`,
  )
