import { AsyncLocalStorage } from 'node:async_hooks'
import { isObject } from '../read-params.ts'

const relatedTask = 'io.modelcontextprotocol/related-task'

/** The task on whose behalf something runs; a call gets its id when the server has made a task of it. */
export const currentTask: AsyncLocalStorage<{ id?: string }> = new AsyncLocalStorage()

/**
 * The task that asks a question. In 2025-11-25 the question names it; later it is part of the state of the task, so that
 * the follower of the task is asked.
 */
export function askingTask(params: object): { task?: string } {
  const { _meta: meta } = params as { _meta?: unknown }
  const related = isObject(meta) ? meta[relatedTask] : undefined
  if (isObject(related) && typeof related.taskId === 'string') return { task: related.taskId }
  const id = currentTask.getStore()?.id
  return id === undefined ? {} : { task: id }
}
