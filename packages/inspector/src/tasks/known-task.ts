import type { Task } from '@tenon/sdk/client'
import type { TaskOutcome, TaskView } from '../protocol.ts'

/** A task, and its state in this workbench. */
export interface KnownTask {
  view: TaskView
  outcome?: TaskOutcome
  /** Set while it is followed: by the call that started it, or until the promise resolves. */
  follower?: 'call' | Promise<void>
  /** Set while it is read once, so that frequent notifications do not cause as many requests. */
  isRead?: true
  /** Ends the following; the task goes on. */
  stop?: AbortController
}

/** The state of a task, without its result, error and questions. */
export function plainTask(task: Task): Task {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task
  return {
    taskId,
    status,
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
  }
}
