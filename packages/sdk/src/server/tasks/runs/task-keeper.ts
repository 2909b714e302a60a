import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import type { CallerState } from '../../caller-state.ts'
import type { Call } from '../../dispatch/call.ts'
import type { Outlet } from '../../dispatch/outlet.ts'
import type { Memory } from '../../questions/memory.ts'
import type { TaskOutcome } from '../store/task-record.ts'
import type { TaskRecord } from '../store/task-store.ts'
import type { ToolTask } from '../task-options.ts'
import type { TaskReport } from '../task-report.ts'
import type { TaskServer } from '../task-server.ts'
import type { AbortableRun } from './running-tasks.ts'

/** The client that a task runs for: it made the task, or answered its last question. */
export interface TaskOrigin {
  readonly caller: CallerState
  readonly outlet: Outlet
  /** How far the task said it was: a run from the top has less to say. */
  progress?: number | undefined
}

/** The beginning of a new task, if its call has been running already. */
export interface TaskBeginning {
  memory?: Memory | undefined
  answers?: { readonly [key: string]: JsonObject } | undefined
}

/** Keeps the records of tasks for their runs. */
export interface TaskKeeper {
  readonly definition: TaskServer
  /** Makes a task of a call; it is stored when this resolves. */
  create(call: Call, params: JsonObject, tool: ToolTask, running?: TaskBeginning): Promise<TaskRecord>
  /** Runs the handler of a task until it has an outcome. The lease has to be ours. */
  run(record: TaskRecord): Promise<void>
  /** Keeps the lease of a run until it is over. */
  attend(record: TaskRecord, run: AbortableRun, done: Promise<void>): void
  /** Keeps the outcome of a run; returns the task if its handler wants to run again soon. */
  settle(record: TaskRecord, outcome: TaskOutcome): Promise<TaskRecord | undefined>
  /** Keeps the steps of a run that are done. Throws if the run is not wanted any more. */
  keepSteps(record: TaskRecord, steps: Memory['steps']): Promise<void>
  /** Passes on a report of a handler to the process that its client talks to. */
  pass(record: TaskRecord, report: TaskReport): MaybePromise<void>
  /** Keeps the status message of a handler. It goes on if that fails. */
  say(record: TaskRecord, statusMessage: string): Promise<void>
}
