import { type OnDemand, onDemand } from '../../on-demand.ts'
import type * as machinery from './tasks-module.ts'

/** What looks after tasks is loaded with the first of them: most calls are none. */
export const tasksModule: OnDemand<typeof machinery> = onDemand(() => import('./tasks-module.ts'))
