import type { Task } from '../../../model/tasks.ts'
import type { ReconnectingConnection } from '../../connecting/reconnecting-connection.ts'
import type { TaskPoller } from './task-poller.ts'

/** The tasks that somebody waits for, so that news about them reach whoever looks after them. */
export class TaskPollers {
  readonly #connection: ReconnectingConnection
  readonly #pollers = new Map<string, Set<TaskPoller>>()
  #hearsOfTheEnd = false

  constructor(connection: ReconnectingConnection) {
    this.#connection = connection
  }

  /** Somebody waits for a task from now on, until its poller stops. */
  add(poller: TaskPoller): void {
    const same = this.#pollers.get(poller.id) ?? new Set()
    this.#pollers.set(poller.id, same.add(poller))
    poller.signal.addEventListener('abort', () => this.#forget(poller, same))
    this.#awaitEnd()
  }

  /** A server said something about a task. */
  changed({ taskId }: Pick<Task, 'taskId'>): void {
    for (const poller of this.#pollers.get(taskId) ?? []) poller.nudge()
  }

  /** There is a connection again: what happened meanwhile is of interest to all. */
  restored(): void {
    for (const poller of this.#all()) poller.nudge()
  }

  #forget(poller: TaskPoller, same: Set<TaskPoller>): void {
    same.delete(poller)
    if (same.size === 0 && this.#pollers.get(poller.id) === same) this.#pollers.delete(poller.id)
  }

  #awaitEnd(): void {
    if (this.#hearsOfTheEnd) return
    this.#hearsOfTheEnd = true
    this.#connection.closed.then((reason) => {
      for (const poller of this.#all()) poller.stop(reason)
    })
  }

  #all(): TaskPoller[] {
    return [...this.#pollers.values()].flatMap((same) => [...same])
  }
}
