import type { Task } from '../../../model/tasks.ts'
import type { ReconnectingConnection } from '../../connecting/reconnecting-connection.ts'
import type { TaskPoller } from './task-poller.ts'

/** The pollers of all awaited tasks, which notifications make poll sooner. */
export class TaskPollers {
  readonly #connection: ReconnectingConnection
  readonly #pollers = new Map<string, Set<TaskPoller>>()
  #hearsOfTheEnd = false

  constructor(connection: ReconnectingConnection) {
    this.#connection = connection
  }

  /** Adds a poller until it stops. */
  add(poller: TaskPoller): void {
    const same = this.#pollers.get(poller.id) ?? new Set()
    this.#pollers.set(poller.id, same.add(poller))
    poller.signal.addEventListener('abort', () => this.#forget(poller, same))
    this.#awaitEnd()
  }

  /** The server sent a notification about a task. */
  changed({ taskId }: Pick<Task, 'taskId'>): void {
    for (const poller of this.#pollers.get(taskId) ?? []) poller.nudge()
  }

  /** There is a connection again: all tasks may have changed meanwhile. */
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
