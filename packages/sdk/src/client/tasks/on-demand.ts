import { type LazyModule, lazyModule } from '../../internal/lazy-module.ts'
import type * as machinery from './machinery.ts'

/** What looks after tasks is loaded with the first of them: most calls are none. */
export const forTasks: LazyModule<typeof machinery> = lazyModule(() => import('./machinery.ts'))
