import type * as machinery from './task-handlers.ts'

/** What runs tasks is loaded with the first request about one: most servers have none. */
export const loadTasks = (): Promise<typeof machinery> => import('./task-handlers.ts')
