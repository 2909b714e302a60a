import type { Task } from '../../model/tasks.ts'
import type { Follower } from './follower.ts'
import type { TaskHost } from './host.ts'

/** The tasks that somebody waits for, so that news about them reach whoever looks after them. */
export class Followers {
  readonly #host: TaskHost
  readonly #followers = new Map<string, Set<Follower>>()
  #hearsOfTheEnd = false

  constructor(host: TaskHost) {
    this.#host = host
  }

  /** Somebody waits for a task from now on, until its follower stops. */
  add(follower: Follower): void {
    const same = this.#followers.get(follower.id) ?? new Set()
    this.#followers.set(follower.id, same.add(follower))
    follower.signal.addEventListener('abort', () => this.#forget(follower, same))
    this.#awaitEnd()
  }

  /** A server said something about a task. */
  changed({ taskId }: Pick<Task, 'taskId'>): void {
    for (const follower of this.#followers.get(taskId) ?? []) follower.nudge()
  }

  /** There is a connection again: what happened meanwhile is of interest to all. */
  restored(): void {
    for (const follower of this.#all()) follower.nudge()
  }

  #forget(follower: Follower, same: Set<Follower>): void {
    same.delete(follower)
    if (same.size === 0 && this.#followers.get(follower.id) === same) this.#followers.delete(follower.id)
  }

  #awaitEnd(): void {
    if (this.#hearsOfTheEnd) return
    this.#hearsOfTheEnd = true
    this.#host.closed().then((reason) => {
      for (const follower of this.#all()) follower.stop(reason)
    })
  }

  #all(): Follower[] {
    return [...this.#followers.values()].flatMap((same) => [...same])
  }
}
