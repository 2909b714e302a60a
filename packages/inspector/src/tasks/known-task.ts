import type { Task, TaskStatus } from '@tenon/sdk/client'
import type { TaskOutcome, TaskView } from '../protocol.ts'

/** A task, and what goes on about it here. */
export interface KnownTask {
  view: TaskView
  outcome?: TaskOutcome
  /** Set while somebody looks after it: the call that started it, or what resolves when that is over. */
  follower?: 'call' | Promise<void>
  /** Set while it is read once, so that a server that tells of it all the time is not asked all the time. */
  isRead?: true
  /** Ends the looking after; the task goes on. */
  stop?: AbortController
}

const ended: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled'])

/** True if nothing about a task changes any more. */
export const hasEnded = ({ status }: Task): boolean => ended.has(status)

/** How a task is, without what its status brings along. */
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
