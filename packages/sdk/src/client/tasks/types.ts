import type { Task, TaskStatus } from '../../model/tasks.ts'
import type { CallOptions, ToolCallResult } from '../types.ts'

/** How a call shall run if it becomes a task. */
export interface TaskWish {
  /** How long the server shall keep the task. Only sent to servers of 2025-11-25. */
  ttlMs?: number
  /** Called with the task when it was made, and each time its status or its message is another one. */
  onStatus?: (task: Task) => void
}

/** Options of a tool call. */
export interface ToolCallOptions extends CallOptions {
  /**
   * Lets the call become a task: asks for one in 2025-11-25, and leaves it to the server from 2026-07-28 on. The result
   * is the same with and without.
   */
  task?: boolean | TaskWish
}

/** Options of `client.tasks.start`. Aborting the signal cancels the task, and `maxTotalMs` holds for all of it. */
export interface TaskStartOptions extends CallOptions, TaskWish {}

/** Options of `client.tasks.result`. */
export interface TaskResultOptions extends Pick<TaskWish, 'onStatus'> {
  /** Ends the waiting; the task goes on. */
  signal?: AbortSignal
  /** For each request, not for the task. */
  timeoutMs?: number
  /** The longest time to wait in all; the task goes on. */
  maxTotalMs?: number
  /** The tool that was called, so that the result can be checked against its output schema. */
  tool?: string
}

/** A tool call that may go on after it was answered. Disposing cancels it unless it has ended. */
export interface StartedTask<Structured = unknown> extends AsyncDisposable {
  /** With this a later process can go on; undefined if the server answered at once, without a task. */
  readonly id: string | undefined
  /** The status that was seen last. */
  readonly status: TaskStatus
  /**
   * The result of the tool. The first call begins to poll the task and to answer its input requests; an `onStatus` does
   * so too. The signal ends the waiting, not the task.
   */
  result(options?: { signal?: AbortSignal }): Promise<ToolCallResult<Structured>>
  /** Asks the server to stop the task, which may end before that. */
  cancel(): Promise<void>
}
