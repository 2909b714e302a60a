import { McpError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import { memoryTaskStore } from './store/memory-store.ts'
import type { TaskStore } from './store/task-store.ts'

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
}

/** Where and how long a server keeps tasks. */
export interface TasksOptions {
  /** Default: in memory, for as long as the process lives. */
  store?: TaskStore
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

export type ToolTask = Readonly<Required<Pick<ToolTaskOptions, 'required' | 'start'>> & ToolTaskOptions>

export function toolTask(given: boolean | ToolTaskOptions | undefined, what: string): ToolTask | undefined {
  if (given === undefined || given === false) return undefined
  const options = given === true ? {} : given
  if (!isObject(options)) throw invalid(`${what} task: expected true or options, got ${describe(given)}`)
  const { required = false, start = 'at-once', afterMs } = options as ToolTaskOptions
  if (start !== 'at-once' && start !== 'by-handler') {
    throw invalid(`${what} task.start: expected "at-once" or "by-handler", got ${JSON.stringify(start)}`)
  }
  for (const name of ['ttlMs', 'pollIntervalMs'] as const) checkMs(options[name], 1, `${what} task.${name}`)
  checkMs(afterMs, 0, `${what} task.afterMs`)
  return { ...options, required, start }
}

export type ServerTaskSettings = Readonly<Required<TasksOptions>>

export function serverTaskSettings(options: TasksOptions = {}): ServerTaskSettings {
  const settings = {
    store: options.store ?? memoryTaskStore(),
    ttlMs: options.ttlMs ?? 3_600_000,
    maxTtlMs: options.maxTtlMs ?? 86_400_000,
    pollIntervalMs: options.pollIntervalMs ?? 1_000,
    maxPerCaller: options.maxPerCaller ?? 1_000,
    maxTasks: options.maxTasks ?? 10_000,
    leaseMs: options.leaseMs ?? 10_000,
  }
  for (const [name, value] of Object.entries(settings)) {
    if (name !== 'store') checkMs(value as number, 1, `createServer tasks.${name}`)
  }
  return settings
}

function checkMs(value: unknown, least: number, what: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)) return
  throw invalid(`${what}: expected an integer of ${least} or more, got ${String(value)}`)
}

const invalid = (message: string): McpError => new McpError('invalid_definition', message)
