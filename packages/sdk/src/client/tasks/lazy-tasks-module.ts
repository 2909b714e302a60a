import { type OnDemand, onDemand } from '../../on-demand.ts'
import type * as machinery from './tasks-module.ts'

/** The task modules are loaded with the first task: most calls are none. */
export const tasksModule: OnDemand<typeof machinery> = onDemand(() => import('./tasks-module.ts'))
