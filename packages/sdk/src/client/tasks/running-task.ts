import { isRpcError, McpError } from '../../errors.ts'
import { unlessAborted } from '../../internal/abort.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { hasEnded, type Task, type TaskStatus } from '../../model/tasks.ts'
import type { ToolCallResult } from '../types.ts'
import { cancelRemoteTask } from './cancel-task.ts'
import { type PollOptions, TaskPoller } from './polling/task-poller.ts'
import type { TaskPollers } from './polling/task-pollers.ts'
import { endReports } from './send-as-task.ts'
import type { TaskHost } from './task-host.ts'
import type { StartedTask } from './types.ts'

/** Options for polling the task of a call. */
interface RunningTaskOptions<Structured> extends PollOptions {
  host: TaskHost
  pollers: TaskPollers
  /** Aborting it cancels the task. */
  signal?: AbortSignal | undefined
  /** Turns the result into the form that callers get. */
  finish(result: JsonObject): ToolCallResult<Structured>
}

/** A call that became a task. */
export class RunningTask<Structured> implements StartedTask<Structured> {
  readonly id: string
  readonly #task: Task
  readonly #running: RunningTaskOptions<Structured>
  #poller: TaskPoller | undefined
  #result: Promise<ToolCallResult<Structured>> | undefined
  #cancelling: Promise<void> | undefined

  constructor(task: Task, running: RunningTaskOptions<Structured>) {
    this.id = task.taskId
    this.#task = task
    this.#running = running
    const { signal, onStatus } = running
    if (signal?.aborted) this.#aborted()
    else signal?.addEventListener('abort', this.#aborted)
    if (onStatus !== undefined) this.#poll()
  }

  get status(): TaskStatus {
    return (this.#poller?.task ?? this.#task).status
  }

  result({ signal }: { signal?: AbortSignal } = {}): Promise<ToolCallResult<Structured>> {
    this.#result ??= this.#poll().outcome.then((result) => this.#running.finish(result))
    return unlessAborted(`Waiting for the task ${JSON.stringify(this.id)}`, this.#result, signal)
  }

  async cancel(): Promise<void> {
    if (hasEnded(this.status)) return
    this.#cancelling ??= cancelRemoteTask(this.id, this.#running.host)
    try {
      await this.#cancelling
    } catch (error) {
      this.#cancelling = undefined
      throw error
    }
    this.#poller?.nudge()
  }

  /** The caller has given up, and no other knows the task. */
  abandon(because: unknown): void {
    if (isRpcError(because) && because.remote) return
    this.#cancelQuietly()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cancelQuietly()
    this.#running.signal?.removeEventListener('abort', this.#aborted)
  }

  #poll(): TaskPoller {
    if (this.#poller !== undefined) return this.#poller
    const { host, pollers, signal } = this.#running
    this.#poller = new TaskPoller(this.#task, host, this.#running)
    pollers.add(this.#poller)
    this.#poller.signal.addEventListener('abort', () => {
      signal?.removeEventListener('abort', this.#aborted)
      endReports(this.#task)
    })
    return this.#poller
  }

  readonly #aborted = (): void => {
    this.#cancelQuietly()
    const cause: unknown = this.#running.signal?.reason
    this.#poll().stop(new McpError('cancelled', 'tools/call was cancelled', { cause }))
  }

  /** A failure is of no use to a caller that has given up. */
  #cancelQuietly(): Promise<void> {
    if (this.#cancelling !== undefined || this.#running.host.connection.ended !== undefined) return Promise.resolve()
    return this.cancel().catch(() => {})
  }
}

/** The handle of a call that was answered without a task. */
export const finishedTask = <Structured>(result: ToolCallResult<Structured>): StartedTask<Structured> => ({
  id: undefined,
  status: 'completed',
  result: async () => result,
  cancel: async () => {},
  [Symbol.asyncDispose]: async () => {},
})
