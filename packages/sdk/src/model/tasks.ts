import type { WireError } from '../jsonrpc/message.ts'
import type { Meta } from './meta.ts'
import type { CallToolResult } from './tools.ts'

/** The extension by which clients and servers declare tasks. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** The status of a task. The last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

export const taskStatuses: readonly TaskStatus[] = ['working', 'input_required', 'completed', 'failed', 'cancelled']

/** True if a task has ended and cannot change any more. */
export const hasEnded = (status: TaskStatus): boolean => status !== 'working' && status !== 'input_required'

/** A call that continues after it was answered. */
export interface Task {
  taskId: string
  status: TaskStatus
  /** The progress in words, for the user or the model. */
  statusMessage?: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  lastUpdatedAt: string
  /** How long the task is kept, counted from its creation; null: forever. */
  ttlMs: number | null
  /** The interval between two polls. */
  pollIntervalMs?: number
}

/** A task with the data of its status. */
export interface DetailedTask extends Task {
  /** With `input_required`: the requests to the client, by keys that are unique in the life of the task. */
  inputRequests?: { [key: string]: { method: string; params?: { [name: string]: unknown } } }
  /** With `completed`: the result of the call. Only `tasks/result` has it in 2025-11-25. */
  result?: CallToolResult
  /** With `failed`: the error of the call. */
  error?: WireError
}

export interface ListTasksResult {
  tasks: Task[]
  nextCursor?: string
  _meta?: Meta
}

/** The member `task` of a `tools/call`. Present if the caller supports tasks. */
export interface TaskRequest {
  /** The requested lifetime of the task, in 2025-11-25. */
  ttlMs?: number
  /** True if the caller accepts only a task, as in 2025-11-25; otherwise the server decides. */
  expected?: boolean
}

/** Whether a tool runs as a task, as tools are listed in 2025-11-25. */
export type TaskSupport = 'forbidden' | 'optional' | 'required'
