import type { ChangeListener, ServerChange } from '../definition/changes.ts'
import type { Definition } from '../definition/definition.ts'
import type { Bus } from '../subscriptions/bus.ts'
import { loadTasks } from './lazy-tasks.ts'
import type { SharedTasks } from './task-options.ts'

/** How a process takes work. */
export interface TaskWorkOptions extends SharedTasks {
  /** Carries news of tasks to the processes that clients talk to, and cancellation back. Default: that of the server. */
  bus?: Bus
}

/** The part of a process in the tasks of a server. */
export interface TaskWorkers extends AsyncDisposable {
  /** Takes no more tasks. Those that are not done in time (10 s) are left to other processes, as far as they can be. */
  close(graceMs?: number): Promise<void>
}

const defaultGraceMs = 10_000

/** Takes runs of tasks from the queue, as soon as the server has a tool that runs as a task. */
export class TaskWork implements ChangeListener, TaskWorkers {
  readonly #definition: Definition
  #working: Promise<((graceMs: number) => Promise<void>) | undefined> | undefined
  #closing: Promise<void> | undefined

  constructor(definition: Definition) {
    this.#definition = definition
    definition.onChange(this)
    this.#begin()
  }

  /** Done when tasks are taken, if there are any. */
  async started(): Promise<void> {
    await this.#working
  }

  changed(change: ServerChange): void {
    if (change.kind === 'list' && change.feature === 'tools') this.#begin()
  }

  close(graceMs: number = defaultGraceMs): Promise<void> {
    this.#closing ??= this.#close(graceMs)
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #begin(): void {
    if (!this.#definition.offersTasks || this.#closing !== undefined) return
    this.#working = this.#working === undefined ? this.#work() : this.#workOnMore(this.#working)
  }

  async #work(): Promise<((graceMs: number) => Promise<void>) | undefined> {
    try {
      return await (await loadTasks()).tasksOf(this.#definition).work()
    } catch (error) {
      this.#definition.report(error, 'tasks')
      return undefined
    }
  }

  async #workOnMore<T>(working: Promise<T>): Promise<T> {
    const stop = await working
    ;(await loadTasks()).tasksOf(this.#definition).workOnMore()
    return stop
  }

  async #close(graceMs: number): Promise<void> {
    this.#definition.forget(this)
    await (await this.#working)?.(graceMs)
  }
}

/** Takes runs of tasks in a process that need not serve anything else. */
export async function workOnTasks(definition: Definition, options: TaskWorkOptions = {}): Promise<TaskWorkers> {
  const { bus, ...shared } = options
  definition.useTasks(shared)
  if (bus !== undefined) definition.useBus(bus)
  await definition.joinBus()
  const work = new TaskWork(definition)
  await work.started()
  return work
}
