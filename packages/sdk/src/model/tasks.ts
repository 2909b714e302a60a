import type { WireError } from '../jsonrpc/message.ts'
import type { Meta } from './meta.ts'
import type { CallToolResult } from './tools.ts'

/** The extension under which clients and servers say that they know tasks. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** Where a task is. The last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

export const taskStatuses: readonly TaskStatus[] = ['working', 'input_required', 'completed', 'failed', 'cancelled']

/** True if a task has ended: nothing about it changes any more. */
export const hasEnded = (status: TaskStatus): boolean => status !== 'working' && status !== 'input_required'

/** A call that goes on after it was answered. */
export interface Task {
  taskId: string
  status: TaskStatus
  /** What is going on, for the user or the model. */
  statusMessage?: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  lastUpdatedAt: string
  /** How long the task is kept, counted from its creation; null for ever. */
  ttlMs: number | null
  /** How long to wait between two looks at it. */
  pollIntervalMs?: number
}

/** A task with what its status brings along. */
export interface DetailedTask extends Task {
  /** With `input_required`: what the client is asked, by keys that are unique in the life of the task. */
  inputRequests?: { [key: string]: { method: string; params?: { [name: string]: unknown } } }
  /** With `completed`: what the call would have returned. Only `tasks/result` has it in 2025-11-25. */
  result?: CallToolResult
  /** With `failed`: the error with which the call would have been answered. */
  error?: WireError
}

export interface ListTasksResult {
  tasks: Task[]
  nextCursor?: string
  _meta?: Meta
}

/** The member `task` of a `tools/call`. Present if the caller can take a task. */
export interface TaskRequest {
  /** How long the caller wants the task to be kept, in 2025-11-25. */
  ttlMs?: number
  /** True if the caller takes nothing but a task, as in 2025-11-25; otherwise the server decides. */
  expected?: boolean
}

/** Whether a tool runs as a task, as tools are listed in 2025-11-25. */
export type TaskSupport = 'forbidden' | 'optional' | 'required'
