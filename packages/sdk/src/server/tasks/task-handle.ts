/** The task that a handler runs as, if it does. */
export interface TaskHandle {
  /** Undefined where the call is no task (yet). */
  readonly id: string | undefined
  /**
   * Makes the call a task, if the client knows tasks and it is none yet: it is answered with the task, and the handler
   * goes on in the background. Questions before that belong to the call, those after it to the task.
   */
  start(): Promise<void>
  /** Sets the status message of the task. */
  status(message: string): void
}

/** The handle of an ordinary call. */
export const noTask: TaskHandle = Object.freeze({ id: undefined, start: async () => {}, status: () => {} })

/** Handles of runs whose handler threw something that it did not mean for the client. */
const faults = new WeakSet<TaskHandle>()

export const noteFault = (task: TaskHandle): void => void faults.add(task)

export const hasFault = (task: TaskHandle): boolean => faults.has(task)
