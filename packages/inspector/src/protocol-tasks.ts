import type { JsonObject, Progress, Task, TaskStatus } from '@tenon/sdk/client'
import type { Outcome, Problem } from './protocol.ts'

/** A task as the page sees it: its last state from the server, and its history here. */
export interface TaskView {
  server: string
  task: Task
  /** How the workbench came to know it. */
  origin: 'started' | 'listed' | 'added'
  /** Known of tasks that were started here. */
  tool?: string
  arguments?: JsonObject
  progress?: Progress
  /** When its state last changed; epoch milliseconds. */
  seenAt: number
  /** Whether it is followed: its state is current, and its questions are asked here. */
  isFollowed: boolean
  /** Why it cannot be followed any more. */
  problem?: Problem
}

const ended: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled'])

/** True if nothing about a task changes any more. */
export const hasEnded = ({ status }: Task): boolean => ended.has(status)

/** The outcome of a task. */
export type TaskOutcome = Outcome extends infer Kind
  ? Kind extends Outcome
    ? Omit<Kind, 'durationMs' | 'warnings'>
    : never
  : never

type Nothing = Record<string, never>
interface OneTask {
  server: string
  task: string
}

export interface TaskCommands {
  /** Reads the tasks that a server lists, in 2025-11-25. */
  'task.list': { params: { server: string }; result: { tasks: Task[] } }
  /** Looks after a task from now on, be it known here or only by its id. */
  'task.follow': { params: OneTask; result: Nothing }
  /** The outcome of a task that has ended; read from the server if it is not kept here. */
  'task.outcome': { params: OneTask; result: { outcome: TaskOutcome } }
  'task.cancel': { params: OneTask; result: Nothing }
  /** Takes a task off the list of this workbench; nothing is sent to the server. */
  'task.forget': { params: OneTask; result: Nothing }
}
