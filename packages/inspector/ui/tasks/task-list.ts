import type { TaskView } from '../../src/protocol.ts'
import { hasEnded } from '../../src/protocol-tasks.ts'

interface Named {
  server: string
  task: string
}

const isThe = ({ server, task }: TaskView, named: Named): boolean =>
  server === named.server && task.taskId === named.task

/** The tasks with one that is new, or as it is from now on. */
export function withTask(tasks: readonly TaskView[], view: TaskView): TaskView[] {
  const named = { server: view.server, task: view.task.taskId }
  const known = tasks.some((other) => isThe(other, named))
  return known ? tasks.map((other) => (isThe(other, named) ? view : other)) : [...tasks, view]
}

export const withoutTask = (tasks: readonly TaskView[], named: Named): TaskView[] =>
  tasks.filter((other) => !isThe(other, named))

export const findTask = (tasks: readonly TaskView[], server: string, task: string): TaskView | undefined =>
  tasks.find((view) => isThe(view, { server, task }))

/** The phase of a task: `lost` if its server has forgotten it, or cannot be reached. */
export const phaseOf = ({ task, problem }: TaskView): 'running' | 'lost' | 'ended' =>
  hasEnded(task) ? 'ended' : problem === undefined ? 'running' : 'lost'

export const runningTasks = (tasks: readonly TaskView[]): number =>
  tasks.filter((view) => phaseOf(view) === 'running').length

/** The beginning of an id, by which people tell tasks apart. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id)
