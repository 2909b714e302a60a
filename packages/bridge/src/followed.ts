import { ErrorCode, isRpcError, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { BackendRequest, RawQuestion } from '@tenon/sdk/relay'
import type { Link } from './link.ts'
import type { Bounds } from './options.ts'
import { Questions } from './questions.ts'
import type { Running } from './running.ts'

/** How long a task is known whose server does not say how long it keeps it. */
const defaultTtlMs = 3_600_000
const longestTimer = 2 ** 31 - 1

/**
 * A task of 2025-11-25 for a client that speaks of tasks as 2026-07-28 does. There a look at a task shows its questions and
 * its result; here the server asks and answers whoever waits for the result. So somebody waits, for as long as it takes.
 */
class FollowedTask implements Running {
  readonly taskId: string
  readonly canAsk = true
  readonly hearsLogs = false
  readonly logLevel = undefined
  readonly #link: Link
  readonly #questions = new Questions(() => this.#changed())
  readonly #outcome: Promise<JsonObject>
  readonly #listeners = new Set<() => void>()
  #ended = false

  constructor(taskId: string, link: Link, release: () => void) {
    this.taskId = taskId
    this.#link = link
    const stop = link.onTaskNews((_method, task) => task.taskId === taskId && this.#changed())
    this.#outcome = link.run(this, 'tasks/result', { taskId }, {}).finally(() => {
      this.#ended = true
      stop()
      release()
      this.#changed()
    })
    this.#outcome.catch(() => {})
  }

  ask(question: RawQuestion): Promise<JsonObject> {
    return this.#questions.ask(question)
  }

  /** Nothing about a task but its state reaches the client. */
  notify(): void {}

  /** The task as a look at it shows it. */
  async seen(): Promise<JsonObject> {
    if (!this.#ended && this.#questions.size > 0) {
      const task = await this.#get()
      return { ...task, status: 'input_required', inputRequests: this.#questions.requests }
    }
    const task = await this.#get()
    const hasEnded = task.status === 'completed' || task.status === 'failed'
    if (!hasEnded) return task.status === 'input_required' ? { ...task, status: 'working' } : task
    try {
      return { ...task, status: 'completed', result: await this.#outcome }
    } catch (error) {
      const { code, message, data } = isRpcError(error) ? error : internal
      return { ...task, status: 'failed', error: { code, message, ...(data !== undefined && { data }) } }
    }
  }

  update(responses: { [key: string]: JsonObject }): JsonObject {
    this.#questions.answer(responses)
    return {}
  }

  async cancel(): Promise<JsonObject> {
    // One that has ended is refused there, and none the worse for it here.
    await this.#link.client.request('tasks/cancel', { taskId: this.taskId }).catch(() => {})
    return {}
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  giveUp(): void {
    this.#questions.giveUp('The task is not followed any more')
  }

  #get(): Promise<JsonObject> {
    return this.#link.client.request('tasks/get', { taskId: this.taskId })
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

const internal = new RpcError(ErrorCode.InternalError, 'The result of the task was lost')

/** The tasks that are followed, by id and by whose they are. */
export class FollowedTasks {
  readonly #tasks = new Map<string, { task: FollowedTask; owner: string }>()
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Follows a task that answered a call. False if the result is none, or nobody has to follow it. */
  adopt(result: JsonObject | undefined, owner: string, link: Link, release: () => void): boolean {
    if (result?.resultType !== 'task' || !link.client.asksLive || this.#tasks.size >= this.#bounds.maxWaiting)
      return false
    const { taskId, ttlMs } = result as { taskId: string; ttlMs?: number | null }
    const task = new FollowedTask(taskId, link, release)
    this.#tasks.set(taskId, { task, owner })
    const forget = (): void => {
      clearTimeout(timer)
      task.giveUp()
      if (this.#tasks.get(taskId)?.task === task) this.#tasks.delete(taskId)
    }
    const timer = setTimeout(forget, Math.min(ttlMs ?? defaultTtlMs, longestTimer))
    timer.unref?.()
    void link.closed.then(forget)
    return true
  }

  of(taskId: unknown, owner: string): FollowedTask | undefined {
    const found = this.#tasks.get(taskId as string)
    return found?.owner === owner ? found.task : undefined
  }

  /** Answers a request about a task that is followed; undefined if it is not. */
  answer({ method, params }: BackendRequest, owner: string): JsonObject | Promise<JsonObject> | undefined {
    const task = this.of(params.taskId, owner)
    switch (method) {
      case 'tasks/get':
        return task?.seen()
      case 'tasks/update':
        return task?.update((params.inputResponses ?? {}) as { [key: string]: JsonObject })
      case 'tasks/cancel':
        return task?.cancel()
      default:
        return undefined
    }
  }
}
