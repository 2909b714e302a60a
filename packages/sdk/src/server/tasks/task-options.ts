import { McpError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { TaskPriority, TaskQueue } from './queue/task-queue.ts'
import { memoryTaskStore } from './store/memory-store.ts'
import type { TaskStore } from './store/task-store.ts'

/** How often a handler may run again from the top, after an exception and after the loss of its process. */
export interface TaskRetryOptions {
  /** Runs in all. Default 3. */
  attempts?: number
  /** The pause before the second run, which doubles with every further one; half of it is random. Default 1 s. */
  delayMs?: number
  /** The longest pause. Default 1 min. */
  maxDelayMs?: number
}

/** How a tool runs as a task. */
export interface ToolTaskOptions {
  /** It cannot run otherwise: clients that do not know tasks are refused. */
  required?: boolean
  /**
   * When the call becomes a task: `at-once` (default), or `by-handler` when the handler calls `ctx.task.start()`. Clients
   * of 2025-11-25 ask for a task, and get it at once.
   */
  start?: 'at-once' | 'by-handler'
  /** The call becomes a task if it has not ended by then; a handler that ends sooner answers directly. */
  afterMs?: number
  /** How long the task is kept, counted from its creation. */
  ttlMs?: number
  /** How often clients should look at it. */
  pollIntervalMs?: number
  /** Declares that the handler may run again from the top. Default: only where `ctx.once` or an answer lets it go on. */
  retry?: boolean | TaskRetryOptions
  /** Which of the tasks that wait begins first. Default `normal`. */
  priority?: TaskPriority
  /** How many tasks of the tool may run at once, in all processes that share a `tasks.queue`. Default: any number. */
  concurrency?: number
  /** How long after the call the handler begins, perhaps by the arguments of the call. Default 0. */
  delayMs?: number | ((args: JsonObject) => number)
}

/** Where and how long a server keeps tasks. */
export interface TasksOptions {
  /** Default: in memory, for as long as the process lives. */
  store?: TaskStore
  /** Hands out runs to the processes that share the store. Default: a task runs in the process that got the call. */
  queue?: TaskQueue
  /** How long a task is kept, counted from its creation, if nobody says otherwise. Default 1 h. */
  ttlMs?: number
  /** How long a client or a tool may have it kept. Default 24 h. */
  maxTtlMs?: number
  /** How often clients should look at a task. Default 1 s. */
  pollIntervalMs?: number
  /** Tasks that are kept for one caller, as far as callers can be told apart. Default 1,000. */
  maxPerCaller?: number
  /** Tasks that are kept in all. Default 10,000. */
  maxTasks?: number
  /** How long after its last sign of life a process is taken for dead, and its tasks for orphans. Default 10 s. */
  leaseMs?: number
}

/** The tasks of all processes that serve the same clients. */
export type SharedTasks = Pick<TasksOptions, 'store' | 'queue'>

export type ToolTask = Readonly<
  Required<Pick<ToolTaskOptions, 'required' | 'start'>> &
    Omit<ToolTaskOptions, 'retry'> & { retry?: Readonly<Required<TaskRetryOptions>> | undefined }
>

/** The longest time that a timer can wait. */
const longestMs = 2 ** 31 - 1
const priorities: ReadonlySet<unknown> = new Set<TaskPriority>(['high', 'normal', 'low'])

export function toolTask(given: boolean | ToolTaskOptions | undefined, what: string): ToolTask | undefined {
  if (given === undefined || given === false) return undefined
  const options = given === true ? {} : given
  if (!isObject(options)) throw invalid(`${what} task: expected true or options, got ${describe(given)}`)
  const { required = false, start = 'at-once', afterMs, retry, priority = 'normal' } = options as ToolTaskOptions
  if (start !== 'at-once' && start !== 'by-handler') {
    throw invalid(`${what} task.start: expected "at-once" or "by-handler", got ${JSON.stringify(start)}`)
  }
  if (!priorities.has(priority)) {
    throw invalid(`${what} task.priority: expected "high", "normal" or "low", got ${JSON.stringify(priority)}`)
  }
  for (const name of ['ttlMs', 'pollIntervalMs', 'concurrency'] as const)
    checkMs(options[name], 1, `${what} task.${name}`)
  checkMs(afterMs, 0, `${what} task.afterMs`)
  if (typeof options.delayMs !== 'function') checkMs(options.delayMs, 0, `${what} task.delayMs`)
  return { ...options, required, start, priority, retry: retrying(retry, `${what} task.retry`) }
}

function retrying(given: ToolTaskOptions['retry'], what: string): ToolTask['retry'] {
  if (given === undefined || given === false) return undefined
  if (given !== true && !isObject(given)) throw invalid(`${what}: expected true or options, got ${describe(given)}`)
  const { attempts = 3, delayMs = 1_000, maxDelayMs = 60_000 } = given === true ? {} : (given as TaskRetryOptions)
  checkMs(attempts, 1, `${what}.attempts`)
  checkMs(delayMs, 0, `${what}.delayMs`)
  checkMs(maxDelayMs, 0, `${what}.maxDelayMs`)
  return { attempts, delayMs, maxDelayMs }
}

/** How long a new task waits. The function of a tool that gives no time is the fault of the tool. */
export function startDelayMs({ delayMs = 0 }: ToolTask, args: JsonObject): number {
  const wanted = typeof delayMs === 'function' ? delayMs(args) : delayMs
  if (Number.isFinite(wanted)) return Math.min(Math.max(0, Math.ceil(wanted)), longestMs)
  throw invalid(`task.delayMs: expected a number of milliseconds, got ${describe(wanted)}`)
}

/** How long a handler waits before its next run, by the number of runs that it had. */
export function retryDelayMs({ delayMs, maxDelayMs }: NonNullable<ToolTask['retry']>, attempts: number): number {
  return Math.min(delayMs * 2 ** (attempts - 1), maxDelayMs, longestMs) * (0.5 + Math.random() / 2)
}

export type ServerTaskSettings = Readonly<Required<Omit<TasksOptions, 'queue'>> & { queue: TaskQueue | undefined }>

/** A queue that was given later belongs to the store that was given with it. */
export const serverTaskQueue = (options: TasksOptions = {}, shared: SharedTasks = {}): TaskQueue | undefined =>
  options.queue ?? (options.store === undefined ? shared.queue : undefined)

/** The options of a server, and for those that it lacks the store and queue that it was given later. */
export function serverTaskSettings(options: TasksOptions = {}, shared: SharedTasks = {}): ServerTaskSettings {
  const settings = {
    store: options.store ?? shared.store ?? memoryTaskStore(),
    queue: serverTaskQueue(options, shared),
    ttlMs: options.ttlMs ?? 3_600_000,
    maxTtlMs: options.maxTtlMs ?? 86_400_000,
    pollIntervalMs: options.pollIntervalMs ?? 1_000,
    maxPerCaller: options.maxPerCaller ?? 1_000,
    maxTasks: options.maxTasks ?? 10_000,
    leaseMs: options.leaseMs ?? 10_000,
  }
  for (const [name, value] of Object.entries(settings)) {
    if (name !== 'store' && name !== 'queue') checkMs(value as number, 1, `createServer tasks.${name}`)
  }
  return settings
}

function checkMs(value: unknown, least: number, what: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)) return
  throw invalid(`${what}: expected an integer of ${least} or more, got ${String(value)}`)
}

const invalid = (message: string): McpError => new McpError('invalid_definition', message)
