import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { ServerChange } from '../definition/changes.ts'
import type { Offers } from '../definition/offers.ts'
import type { ServerLimits } from '../limits.ts'
import type { StateServer } from '../stateless/state-seal.ts'
import type { SharedTasks, TasksOptions } from './task-options.ts'
import type { PassedReport } from './task-report.ts'

/** The server that tasks belong to. */
export interface TaskServer extends Offers, Omit<StateServer, 'options'> {
  readonly options: StateServer['options'] & { readonly limits?: ServerLimits; readonly tasks?: TasksOptions }
  /** The store and queue of tasks that a server without its own was given. */
  readonly sharedTasks: SharedTasks | undefined
  emit(change: ServerChange): void
  /** Sends a report of a handler to the process that its client talks to. */
  passReport(report: PassedReport): MaybePromise<void>
}
