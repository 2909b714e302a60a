import { unref } from '../../../internal/timers.ts'
import type { LaneWork, TaskJob, TaskPriority, TaskQueue, TaskTurn, TaskWorker } from './task-queue.ts'

const priorities: readonly TaskPriority[] = ['high', 'normal', 'low']

/** The runs of one lane. Those that can begin do so at once. */
class LocalLane {
  readonly #work: LaneWork
  readonly #waiting = new Map<TaskPriority, TaskJob[]>(priorities.map((priority) => [priority, []]))
  readonly #running = new Set<Promise<void>>()
  #closed = false

  constructor(work: LaneWork) {
    this.#work = work
  }

  add(job: TaskJob, priority: TaskPriority): void {
    this.#waiting.get(priority)!.push(job)
    this.#next()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#running)
  }

  #next(): void {
    const { concurrency = Number.POSITIVE_INFINITY } = this.#work.lane
    while (!this.#closed && this.#running.size < concurrency) {
      const job = this.#take()
      if (job === undefined) return
      const running = this.#work.perform(job).then(() => {
        this.#running.delete(running)
        this.#next()
      })
      this.#running.add(running)
    }
  }

  #take(): TaskJob | undefined {
    for (const jobs of this.#waiting.values()) if (jobs.length > 0) return jobs.shift()
    return undefined
  }
}

/** The runs of this process, which go with it: their records tell others that they were left. */
export class LocalTaskQueue implements TaskQueue {
  readonly #lanes = new Map<string, LocalLane>()

  add(job: TaskJob, { lane, priority, delayMs }: TaskTurn): void {
    const add = (): void => this.#lanes.get(lane.name)?.add(job, priority)
    if (delayMs > 0) unref(setTimeout(add, delayMs))
    else add()
  }

  work(work: LaneWork): TaskWorker {
    const lane = new LocalLane(work)
    this.#lanes.set(work.lane.name, lane)
    return lane
  }
}
