import type { ServerChange } from '../definition/changes.ts'
import type { Offers } from '../definition/offers.ts'
import type { ServerLimits } from '../limits.ts'
import type { StateServer } from '../stateless/state-seal.ts'
import type { TasksOptions } from './task-options.ts'

/** The server that tasks belong to. */
export interface TaskServer extends Offers, Omit<StateServer, 'options'> {
  readonly options: StateServer['options'] & { readonly limits?: ServerLimits; readonly tasks?: TasksOptions }
  emit(change: ServerChange): void
}
