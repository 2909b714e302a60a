import { McpError } from '../../../errors.ts'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import type { DetailedTask, Task, TaskStatus } from '../../../model/tasks.ts'
import type { TaskHost } from '../task-host.ts'

/** Reads the states of a task. Gives its result as soon as there is one. */
export interface TaskResultReader {
  read(task: DetailedTask): MaybePromise<JsonObject | undefined>
  /** True while the task waits for an answer of this client. */
  readonly isWaiting: boolean
}

/** A task that is being polled. */
export interface PolledTask {
  readonly id: string
  readonly host: TaskHost
  readonly timeoutMs: number
  /** The caller's, for the callbacks that answer input requests. */
  readonly origin: unknown
  /** Fires when the task is not polled any more. */
  readonly signal: AbortSignal
  call(method: string, params?: JsonObject): Promise<JsonObject>
  get(): Promise<DetailedTask>
  /** Its input requests have been answered: the next poll is not later than the server wants. */
  answered(): void
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
