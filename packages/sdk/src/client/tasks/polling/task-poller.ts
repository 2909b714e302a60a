import { McpError } from '../../../errors.ts'
import { longestTimerMs } from '../../../internal/timers.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import { type DetailedTask, hasEnded, type Task, type TaskStatus } from '../../../model/tasks.ts'
import { callListener } from '../../options.ts'
import type { TaskHost } from '../task-host.ts'
import { FetchedResult } from './fetched-result.ts'
import { InlineResult } from './inline-result.ts'
import { Pause } from './pause.ts'
import { intervalMs, isPassing, maxFailures, retryMs, shortestMs, waitingMs } from './pauses.ts'
import { plainTask } from './plain-task.ts'
import type { PolledTask, TaskResultReader } from './polled-task.ts'

export interface PollOptions {
  /** For each request. */
  timeoutMs?: number
  /** When the waiting ends, by `performance.now()`. */
  deadline?: number
  onStatus?: (task: Task) => void
  /** The caller's, for the callbacks that answer input requests. */
  origin?: unknown
}

// Clocks differ, and some servers keep a task longer than they say.
const graceMs = 60_000

/** Polls one task until it has ended, answers its input requests and gets its result. */
export class TaskPoller implements PolledTask {
  readonly id: string
  readonly host: TaskHost
  readonly timeoutMs: number
  readonly origin: unknown
  /** The result of the call, or the error with which it failed. */
  readonly outcome: Promise<JsonObject>
  /** The task as it was seen last. */
  task: Task | undefined
  readonly #onStatus: PollOptions['onStatus']
  readonly #stop = new AbortController()
  readonly #pause = new Pause()
  readonly #since = performance.now()
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  #settle!: { resolve: (result: JsonObject) => void; reject: (error: Error) => void }
  #reader: TaskResultReader | undefined
  #polls = 0
  #failures = 0

  /** Given the task as it was made, or only its id. */
  constructor(task: Task | string, host: TaskHost, { timeoutMs, deadline, onStatus, origin }: PollOptions) {
    this.id = typeof task === 'string' ? task : task.taskId
    this.host = host
    this.timeoutMs = timeoutMs ?? host.sources.settings.peer.timeoutMs
    this.origin = origin
    this.#onStatus = onStatus
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    this.outcome.catch(() => {})
    const left = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - this.#since
    if (left <= longestTimerMs) this.#timer = setTimeout(() => this.stop(tooLate(this.id)), left)
    if (typeof task !== 'string') this.#update(task)
    this.#run()
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** The task has changed: polls soon. */
  nudge(): void {
    this.#pause.shorten(shortestMs)
  }

  answered(): void {
    this.#polls = 0
    this.#pause.shorten(intervalMs(this.task?.pollIntervalMs, 0))
  }

  finish(result: JsonObject, status?: TaskStatus): void {
    const { task } = this
    if (status !== undefined && task !== undefined && !hasEnded(task.status)) {
      const { statusMessage: _, ...rest } = task
      this.#update({ ...rest, status })
    }
    this.#settle.resolve(result)
    this.#end()
  }

  stop(error: Error): void {
    this.#settle.reject(error)
    this.#end(error)
  }

  call(method: string, params: JsonObject = {}): Promise<JsonObject> {
    return this.host.requests.call(method, { taskId: this.id, ...params }, { timeoutMs: this.timeoutMs })
  }

  async get(): Promise<DetailedTask> {
    const task = (await this.call('tasks/get')) as unknown as DetailedTask
    if (task.taskId !== this.id) throw wrong(this.id, `got the task ${JSON.stringify(task.taskId.slice(0, 80))}`)
    if (!this.signal.aborted) this.#update(task)
    return task
  }

  async #run(): Promise<void> {
    // The creator may stop it at once.
    await undefined
    const reader = resultReaderFor(this)
    this.#reader = reader
    // Only `tasks/get` returns the result and the input requests.
    let atOnce = this.task?.status !== 'working'
    while (!this.signal.aborted) {
      if (!atOnce) await this.#pause.wait(this.#waitMs())
      atOnce = false
      await this.#read(reader)
    }
  }

  async #read(reader: TaskResultReader): Promise<void> {
    if (this.signal.aborted) return
    try {
      const result = await reader.read(await this.get())
      this.#failures = 0
      if (result !== undefined) this.finish(result)
      else this.#stopOutlived()
    } catch (error) {
      if (!this.#mayRetry(error)) this.stop(error as Error)
    }
  }

  #waitMs(): number {
    if (this.#failures > 0) return retryMs(this.#failures)
    const wait = this.#reader?.isWaiting ? waitingMs : intervalMs
    return wait(this.task?.pollIntervalMs, this.#polls++)
  }

  #mayRetry(error: unknown): boolean {
    if (!isPassing(error) || this.host.connection.ended !== undefined) return false
    this.#failures += 1
    return this.#failures <= maxFailures
  }

  #update(task: Task): void {
    const { task: before } = this
    if (before !== undefined && hasEnded(before.status) && before.status !== task.status) {
      throw wrong(this.id, `is ${task.status} after it was ${before.status}`)
    }
    this.task = plainTask(task)
    if (before?.status === task.status && before.statusMessage === task.statusMessage) return
    this.#polls = 0
    callListener(this.host.sources.settings.report, this.#onStatus, this.task)
  }

  /** A task that outlives its `ttl` by far may be gone without notice, so it is not waited for. */
  #stopOutlived(): void {
    const ttlMs = this.task?.ttlMs ?? null
    if (ttlMs === null || performance.now() - this.#since <= 2 * ttlMs + graceMs) return
    const what = `The task ${JSON.stringify(this.id)} did not end within its ttl of ${ttlMs} ms`
    this.stop(new McpError('timeout', what))
  }

  #end(reason?: Error): void {
    clearTimeout(this.#timer)
    this.#stop.abort(reason)
    this.#pause.end()
  }
}

const resultReaderFor = (polled: PolledTask): TaskResultReader =>
  polled.host.connection.latest.codec.requests.client.has('tasks/result')
    ? new FetchedResult(polled)
    : new InlineResult(polled)

const wrong = (id: string, what: string): McpError =>
  new McpError('invalid_result', `tasks/get: the task ${JSON.stringify(id.slice(0, 80))} ${what}`)

const tooLate = (id: string): McpError =>
  new McpError('timeout', `The task ${JSON.stringify(id)} was not complete within the maximum total time`)
