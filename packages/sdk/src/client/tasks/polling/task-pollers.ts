import type { Task } from '../../../model/tasks.ts'
import type { TaskHost } from '../task-host.ts'
import type { TaskPoller } from './task-poller.ts'

/** The tasks that somebody waits for, so that news about them reach whoever looks after them. */
export class TaskPollers {
  readonly #host: TaskHost
  readonly #pollers = new Map<string, Set<TaskPoller>>()
  #hearsOfTheEnd = false

  constructor(host: TaskHost) {
    this.#host = host
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
    this.#host.closed().then((reason) => {
      for (const poller of this.#all()) poller.stop(reason)
    })
  }

  #all(): TaskPoller[] {
    return [...this.#pollers.values()].flatMap((same) => [...same])
  }
}
