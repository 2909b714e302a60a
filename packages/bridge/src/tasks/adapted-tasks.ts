import { ErrorCode, isRpcError, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { BackendRequest, RawQuestion } from '@tenon/sdk/relay'
import type { ActiveCall } from '../calls/active-call.ts'
import { PendingRequests } from '../calls/pending-requests.ts'
import type { Bounds } from '../options.ts'
import type { UpstreamConnection } from '../upstream/connection.ts'

/** The lifetime of a task whose server declares none. */
const defaultTtlMs = 3_600_000
const longestTimer = 2 ** 31 - 1

/**
 * A task of a server with sessions, for a stateless client. The client expects input requests and the result in `tasks/get`;
 * the server sends them only to a client that waits with `tasks/result`. So the bridge waits, until the task ends.
 */
export class AdaptedTask implements ActiveCall {
  readonly taskId: string
  readonly canAsk = true
  readonly hearsLogs = false
  readonly acceptsTasks = false
  readonly logLevel = undefined
  readonly #connection: UpstreamConnection
  readonly #requests = new PendingRequests(() => this.#changed())
  readonly #outcome: Promise<JsonObject>
  readonly #listeners = new Set<() => void>()
  #ended = false

  constructor(taskId: string, connection: UpstreamConnection, release: () => void) {
    this.taskId = taskId
    this.#connection = connection
    const stop = connection.onTaskNotification((_method, task) => task.taskId === taskId && this.#changed())
    this.#outcome = connection.run(this, 'tasks/result', { taskId }, {}).finally(() => {
      this.#ended = true
      stop()
      release()
      this.#changed()
    })
    this.#outcome.catch(() => {})
  }

  ask(question: RawQuestion): Promise<JsonObject> {
    return this.#requests.ask(question)
  }

  /** The client gets the state of the task only. */
  notify(): void {}

  /** The task as `tasks/get` returns it to the client. */
  async snapshot(): Promise<JsonObject> {
    if (!this.#ended && this.#requests.size > 0) {
      const task = await this.#get()
      return { ...task, status: 'input_required', inputRequests: this.#requests.inputRequests }
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
    this.#requests.answer(responses)
    return {}
  }

  async cancel(): Promise<JsonObject> {
    // The server refuses to cancel a task that has ended; for the client that is no error.
    await this.#connection.client.request('tasks/cancel', { taskId: this.taskId }).catch(() => {})
    return {}
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  abandon(): void {
    this.#requests.abandon('The task is not followed any more')
  }

  #get(): Promise<JsonObject> {
    return this.#connection.client.request('tasks/get', { taskId: this.taskId })
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

const internal = new RpcError(ErrorCode.InternalError, 'The result of the task was lost')

/** The adapted tasks, by id and owner. */
export class AdaptedTasks {
  readonly #tasks = new Map<string, { task: AdaptedTask; owner: string }>()
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Adapts the task that a call returned. False if the result is no task, or there are too many; then call `release`. */
  adopt(result: JsonObject | undefined, owner: string, connection: UpstreamConnection, release: () => void): boolean {
    if (result?.resultType !== 'task' || this.#tasks.size >= this.#bounds.maxWaiting) return false
    const { taskId, ttlMs } = result as { taskId: string; ttlMs?: number | null }
    const task = new AdaptedTask(taskId, connection, release)
    this.#tasks.set(taskId, { task, owner })
    const forget = (): void => {
      clearTimeout(timer)
      task.abandon()
      if (this.#tasks.get(taskId)?.task === task) this.#tasks.delete(taskId)
    }
    const timer = setTimeout(forget, Math.min(ttlMs ?? defaultTtlMs, longestTimer))
    timer.unref?.()
    void connection.closed.then(forget)
    return true
  }

  get(taskId: unknown, owner: string): AdaptedTask | undefined {
    const found = this.#tasks.get(taskId as string)
    return found?.owner === owner ? found.task : undefined
  }

  /** Answers a request about an adapted task; undefined for other requests. */
  answer({ method, params }: BackendRequest, owner: string): JsonObject | Promise<JsonObject> | undefined {
    const task = this.get(params.taskId, owner)
    switch (method) {
      case 'tasks/get':
        return task?.snapshot()
      case 'tasks/update':
        return task?.update((params.inputResponses ?? {}) as { [key: string]: JsonObject })
      case 'tasks/cancel':
        return task?.cancel()
      default:
        return undefined
    }
  }
}
