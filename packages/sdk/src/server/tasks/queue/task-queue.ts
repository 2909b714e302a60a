import type { MaybePromise } from '../../../internal/maybe-promise.ts'

/** One run of a task. */
export interface TaskJob {
  readonly owner: string
  readonly id: string
  /** Counts the runs of the task: an older one is not wanted any more. */
  readonly run: number
}

/** Runs that wait for each other: those of a tool with a `concurrency`, or those of all other tools. */
export interface TaskLane {
  /** The name of the tool; empty for the lane of all others. */
  readonly name: string
  /** Runs at once, in all processes that share the queue. */
  readonly concurrency?: number | undefined
}

export type TaskPriority = 'high' | 'normal' | 'low'

/** When a run is due. */
export interface TaskTurn {
  readonly lane: TaskLane
  readonly priority: TaskPriority
  /** How long it waits before it may be taken. */
  readonly delayMs: number
}

/** The runs of a lane in one process. */
export interface TaskWorker {
  /** Takes no more runs; done when those that were taken are over. */
  close(): MaybePromise<void>
}

export interface LaneWork {
  readonly lane: TaskLane
  /** How long after its last sign of life a process is taken for dead, and its runs are given to others. */
  readonly leaseMs: number
  /** Never rejects. Resolves when the run is over, or with the time after which it should be delivered once more. */
  perform(job: TaskJob): Promise<number | undefined>
  /** Tells the operator of an error. */
  report(error: unknown): void
}

/**
 * Hands out the runs of tasks to the processes that share it. A run may be delivered more than once: the record of the
 * task decides whether it begins, so a queue only has to lose none.
 */
export interface TaskQueue {
  /** Adds a run; nothing loses it once this is done. One that is there already is not added again. */
  add(job: TaskJob, turn: TaskTurn): MaybePromise<void>
  /** Removes a run that was not taken yet, if that is easy. */
  remove?(job: TaskJob, lane: TaskLane): MaybePromise<void>
  /** Takes the runs of a lane. Those of a process that died are delivered again. */
  work(work: LaneWork): TaskWorker
}
