import type { Offers } from '../../definition/offers.ts'
import type { ToolTask } from '../task-options.ts'
import type { TaskLane } from './task-queue.ts'

/** The lane of a tool: its own if it has a `concurrency`, and else that of all others. */
export const laneOf = (name: string, task: ToolTask | undefined): TaskLane =>
  task?.concurrency === undefined ? { name: '' } : { name, concurrency: task.concurrency }

/** The lanes of a server and of those that are mounted. A name is the one that clients use. */
export function* lanesOf(server: Offers, prefix = ''): Generator<TaskLane> {
  for (const { name, task } of server.tools) if (task !== undefined) yield laneOf(prefix + name, task)
  for (const mount of server.mounts) yield* lanesOf(mount.definition, prefix + mount.prefix)
}
