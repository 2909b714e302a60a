import type * as machinery from './task-handlers.ts'

/** The task handlers are loaded with the first request about a task: most servers have none. */
export const loadTasks = (): Promise<typeof machinery> => import('./task-handlers.ts')
