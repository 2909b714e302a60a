import { type OnDemand, onDemand } from '../../on-demand.ts'
import type * as machinery from './machinery.ts'

/** What looks after tasks is loaded with the first of them: most calls are none. */
export const forTasks: OnDemand<typeof machinery> = onDemand(() => import('./machinery.ts'))
