import { isRpcError, McpError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { hasEnded, type Task, type TaskStatus } from '../../model/tasks.ts'
import type { ToolCallResult } from '../types.ts'
import { unlessAborted } from '../unless-aborted.ts'
import { cancelTask } from './cancel-task.ts'
import { Follower, type FollowOptions } from './follower.ts'
import type { Followers } from './followers.ts'
import type { TaskHost } from './host.ts'
import { endReports } from './send-as-task.ts'
import type { StartedTask } from './types.ts'

/** What a handle needs to look after its task. */
export interface Running<Structured> extends FollowOptions {
  host: TaskHost
  followers: Followers
  /** Aborting it cancels the task. */
  signal?: AbortSignal | undefined
  /** Makes of a result what callers get. */
  finish(result: JsonObject): ToolCallResult<Structured>
}

/** A call that became a task. */
export class RunningTask<Structured> implements StartedTask<Structured> {
  readonly id: string
  readonly #task: Task
  readonly #running: Running<Structured>
  #follower: Follower | undefined
  #result: Promise<ToolCallResult<Structured>> | undefined
  #cancelling: Promise<void> | undefined

  constructor(task: Task, running: Running<Structured>) {
    this.id = task.taskId
    this.#task = task
    this.#running = running
    const { signal, onStatus } = running
    if (signal?.aborted) this.#aborted()
    else signal?.addEventListener('abort', this.#aborted)
    if (onStatus !== undefined) this.#follow()
  }

  get status(): TaskStatus {
    return (this.#follower?.task ?? this.#task).status
  }

  result({ signal }: { signal?: AbortSignal } = {}): Promise<ToolCallResult<Structured>> {
    this.#result ??= this.#follow().outcome.then((result) => this.#running.finish(result))
    return unlessAborted(`Waiting for the task ${JSON.stringify(this.id)}`, this.#result, signal)
  }

  async cancel(): Promise<void> {
    if (hasEnded(this.status)) return
    this.#cancelling ??= cancelTask(this.id, this.#running.host)
    try {
      await this.#cancelling
    } catch (error) {
      this.#cancelling = undefined
      throw error
    }
    this.#follower?.nudge()
  }

  /** The caller has given up: nobody else knows the task, so nobody would miss it. */
  abandon(because: unknown): void {
    if (isRpcError(because) && because.remote) return
    this.#cancelQuietly()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cancelQuietly()
    this.#running.signal?.removeEventListener('abort', this.#aborted)
  }

  #follow(): Follower {
    if (this.#follower !== undefined) return this.#follower
    const { host, followers, signal } = this.#running
    this.#follower = new Follower(this.#task, host, this.#running)
    followers.add(this.#follower)
    this.#follower.signal.addEventListener('abort', () => {
      signal?.removeEventListener('abort', this.#aborted)
      endReports(this.#task)
    })
    return this.#follower
  }

  readonly #aborted = (): void => {
    this.#cancelQuietly()
    const cause: unknown = this.#running.signal?.reason
    this.#follow().stop(new McpError('cancelled', 'tools/call was cancelled', { cause }))
  }

  /** Who does not wait for the end cannot do anything about it either. */
  #cancelQuietly(): Promise<void> {
    if (this.#cancelling !== undefined || this.#running.host.ended() !== undefined) return Promise.resolve()
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
