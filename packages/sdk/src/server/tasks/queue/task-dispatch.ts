import { ErrorCode, McpError } from '../../../errors.ts'
import { unref } from '../../../internal/timers.ts'
import type { JsonObject, WireError } from '../../../jsonrpc/message.ts'
import { findTool } from '../../features/find-tool.ts'
import type { LeaseWatch } from '../runs/lease-watch.ts'
import type { RunningTasks } from '../runs/running-tasks.ts'
import { canRunAgain, ended } from '../store/task-record.ts'
import type { TaskRecord } from '../store/task-store.ts'
import { retryDelayMs, type ServerTaskSettings, type ToolTask } from '../task-options.ts'
import type { TaskServer } from '../task-server.ts'
import { LocalTaskQueue } from './local-queue.ts'
import { laneOf, lanesOf } from './task-lanes.ts'
import type { TaskJob, TaskLane, TaskQueue, TaskTurn, TaskWorker } from './task-queue.ts'

/** A task after somebody wanted to change it. */
export interface Changed {
  readonly record: TaskRecord | undefined
  readonly changed: boolean
}

/** The records and runs of tasks, as far as their order depends on them. */
export interface DispatchedTasks {
  readonly definition: TaskServer
  readonly settings: ServerTaskSettings
  readonly runs: RunningTasks
  readonly leases: LeaseWatch
  change(task: TaskJob | TaskRecord, edit: (current: TaskRecord) => TaskRecord | undefined): Promise<Changed>
  isOurs(record: TaskRecord): boolean
  lease(): NonNullable<TaskRecord['lease']>
  /** Runs the handler until it has an outcome. The lease has to be ours. */
  run(record: TaskRecord): Promise<void>
  report(error: unknown): void
}

/** A run in the queue of this process. Its lease is renewed until it begins. */
interface WaitingRun {
  readonly record: TaskRecord
  release(): void
}

const stopped = new McpError('closed', 'The process that runs the task is being stopped')
/** A run whose record could not be read is delivered again after this time. */
const troubleMs = 1_000

/**
 * Puts the runs of tasks into the queue, and takes them from there. The record of a task decides: a run begins once,
 * however often the queue delivers it, and again only if the process that had it was lost and the tool allows it.
 */
export class TaskDispatch {
  /** True if other processes take runs from the queue too. */
  readonly isShared: boolean
  readonly #tasks: DispatchedTasks
  readonly #queue: TaskQueue
  readonly #workers = new Map<string, TaskWorker>()
  readonly #waiting = new Map<string, WaitingRun>()
  /** Those who wait for runs here, until these are left to other processes. */
  readonly #awaiting = new Set<() => void>()
  #isHandingOver = false

  constructor(tasks: DispatchedTasks) {
    this.#tasks = tasks
    this.isShared = tasks.settings.queue !== undefined
    this.#queue = tasks.settings.queue ?? new LocalTaskQueue()
  }

  /** The members of a record whose handler is to run next. */
  next(record: Pick<TaskRecord, 'run' | 'attempts' | 'call'>, delayMs = 0): Partial<TaskRecord> {
    const { run = 0, attempts = 0 } = record
    const waits = { run: run + 1, attempts, queued: { from: Date.now() + delayMs } }
    if (this.isShared) return { ...waits, lease: undefined }
    const lease = this.#tasks.lease()
    // One that may have to wait says so in its record, and takes one more write to begin.
    if (delayMs > 0 || this.#lane(record).concurrency !== undefined) return { ...waits, lease }
    return { run: run + 1, attempts: attempts + 1, queued: undefined, lease }
  }

  /** The task after a run that may be repeated; undefined if there were enough of them. */
  retry(record: TaskRecord): TaskRecord | undefined {
    const { retry } = this.#options(record) ?? {}
    const { attempts = 1 } = record
    if (retry === undefined || attempts >= retry.attempts) return undefined
    return { ...record, ...this.next(record, retryDelayMs(retry, attempts)) }
  }

  /** The task after its run was lost. */
  afterLoss(record: TaskRecord, message: string): TaskRecord {
    const { queued } = record
    // It keeps its place in the queue, if it is still there.
    if (queued !== undefined && this.isShared) return { ...record, lease: undefined, queued: { from: Date.now() } }
    if (!canRunAgain(record, this.#options(record)?.retry)) return failed(record, message)
    return { ...record, ...this.next(record, Math.max(0, (queued?.from ?? 0) - Date.now())) }
  }

  /** Puts the next run of a task into the queue. */
  async add(record: TaskRecord): Promise<void> {
    const lane = this.#lane(record)
    if (!this.isShared) {
      this.open(lane)
      this.#hold(record)
    }
    const { priority = 'normal' } = this.#options(record) ?? {}
    const delayMs = Math.max(0, (record.queued?.from ?? 0) - Date.now())
    const turn: TaskTurn = { lane, priority, delayMs }
    // Not awaited if it is done: a handler that can begin does so before its call is answered.
    const adding = this.#queue.add(jobOf(record), turn)
    if (adding instanceof Promise) await adding
  }

  /** True if the run of a waiting task may be lost: the process that added it perhaps died before it did. */
  isOverdue({ updatedAt, queued }: TaskRecord): boolean {
    return Date.now() > Math.max(updatedAt, queued?.from ?? 0) + this.#tasks.settings.leaseMs
  }

  /** Removes the run of a task that nobody wants any more. */
  async remove(record: TaskRecord): Promise<void> {
    if (record.queued !== undefined) await this.#queue.remove?.(jobOf(record), this.#lane(record))
  }

  /** Takes runs of every tool of the server, also of those that were added meanwhile. */
  work(): void {
    for (const lane of lanesOf(this.#tasks.definition)) this.open(lane)
  }

  /** Takes the runs of a lane, once. */
  open(lane: TaskLane): void {
    if (this.#workers.has(lane.name)) return
    const { settings } = this.#tasks
    const perform = (job: TaskJob): Promise<number | undefined> => this.#perform(job)
    const report = (error: unknown): void => this.#tasks.report(error)
    this.#workers.set(lane.name, this.#queue.work({ lane, leaseMs: settings.leaseMs, perform, report }))
  }

  /** Takes no more runs. Those that are not over in time are left to others, as far as they can be. */
  async close(graceMs: number, message: string): Promise<void> {
    const closing = Promise.all([...this.#workers.values()].map((worker) => worker.close()))
    this.#workers.clear()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'late'>((resolve) => (timer = unref(setTimeout(() => resolve('late'), graceMs))))
    if ((await Promise.race([closing, late])) === 'late') {
      await Promise.all([...this.#tasks.runs.entries()].map((run) => this.#leave(run, message)))
      this.#isHandingOver = true
      for (const leave of this.#awaiting) leave()
    }
    clearTimeout(timer)
    await closing
    this.#isHandingOver = false
  }

  /** Leaves a run that goes on here to another process. Its handler is aborted, and its outcome does not count. */
  async #leave({ owner, id }: { owner: string; id: string }, message: string): Promise<void> {
    try {
      const { record, changed } = await this.#tasks.change({ owner, id, run: 0 }, (current) => {
        if (!this.#tasks.isOurs(current)) return undefined
        // It was no failure of the handler.
        return this.afterLoss({ ...current, attempts: (current.attempts ?? 1) - 1 }, message)
      })
      this.#tasks.runs.leave(id, stopped)
      if (changed && record?.queued !== undefined) await this.add(record)
    } catch (error) {
      this.#tasks.report(error)
    }
  }

  async #perform(job: TaskJob): Promise<number | undefined> {
    try {
      return await this.#take(job)
    } catch (error) {
      this.#tasks.report(error)
      return troubleMs
    }
  }

  async #take(job: TaskJob): Promise<number | undefined> {
    const held = this.#waiting.get(job.id)
    this.#waiting.delete(job.id)
    if (held !== undefined && held.record.queued === undefined) {
      const running = this.#tasks.run(held.record)
      held.release()
      await running
      return undefined
    }
    const { record, againMs } = await this.#claim(job, held !== undefined)
    const running = record && this.#tasks.run(record)
    held?.release()
    if (running !== undefined) await this.#doneOrLeft(running)
    return againMs
  }

  /** A race with a promise that outlives all runs would keep something of each of them. */
  #doneOrLeft(running: Promise<void>): Promise<void> {
    if (this.#isHandingOver) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#awaiting.delete(leave)
        resolve()
      }
      this.#awaiting.add(leave)
      running.then(leave, (error: unknown) => {
        this.#awaiting.delete(leave)
        reject(error)
      })
    })
  }

  /** Makes a run ours, unless it is not wanted any more or goes on elsewhere. */
  async #claim(
    job: TaskJob,
    isHeld: boolean,
  ): Promise<{ record?: TaskRecord | undefined; againMs?: number | undefined }> {
    const { runs, leases, settings } = this.#tasks
    let againMs: number | undefined
    const { record, changed } = await this.#tasks.change(job, (current) => {
      againMs = undefined
      if (current.status !== 'working' || (current.run ?? 0) !== job.run) return undefined
      const isHere = !isHeld && runs.has(job.id)
      if (isHere || (current.queued === undefined && !leases.isOrphan(current))) {
        againMs = isHere ? settings.leaseMs : leases.leftMs(current) + 50
        return undefined
      }
      if (!canRunAgain(current, this.#options(current)?.retry)) return failed(current, lostMessage)
      const attempts = (current.attempts ?? 1) + 1
      return { ...current, queued: undefined, attempts, lease: this.#tasks.lease() }
    })
    return { record: changed && record?.status === 'working' ? record : undefined, againMs }
  }

  #hold(record: TaskRecord): void {
    let release: () => void = () => {}
    const waiting = new Promise<void>((resolve) => (release = resolve))
    this.#waiting.set(record.id, { record, release })
    this.#tasks.runs.add(record, { abort: release }, waiting)
  }

  #options({ call }: Pick<TaskRecord, 'call'>): ToolTask | undefined {
    return findTool(this.#tasks.definition, call.params.name)?.tool.task
  }

  #lane(record: Pick<TaskRecord, 'call'>): TaskLane {
    return laneOf(record.call.params.name as string, this.#options(record))
  }
}

export const lostMessage =
  'The server stopped while the task was running, and the handler left nothing to go on from: it did not use ctx.once'

/** The error of a task whose process was lost. */
const lostError = (message: string): WireError => ({
  code: ErrorCode.InternalError,
  message,
  data: { reason: 'interrupted' } satisfies JsonObject,
})

const failed = (record: TaskRecord, message: string): TaskRecord =>
  ended(record, { status: 'failed', statusMessage: message, error: lostError(message) })

const jobOf = ({ owner, id, run = 0 }: TaskRecord): TaskJob => ({ owner, id, run })
