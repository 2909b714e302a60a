import { type LazyModule, lazyModule } from '../../internal/lazy-module.ts'
import type * as machinery from './tasks-module.ts'

/** The task modules are loaded with the first task: most calls are none. */
export const tasksModule: LazyModule<typeof machinery> = lazyModule(() => import('./tasks-module.ts'))
