import { isRpcError } from '../../../errors.ts'
import { longestTimerMs, withinMs } from '../../../internal/timers.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import { type DetailedTask, hasEnded } from '../../../model/tasks.ts'
import type { CallOptions } from '../../types.ts'
import { isPassing } from './pauses.ts'
import { type PolledTask, type TaskResultReader, wasCancelled } from './polled-task.ts'

const patiently: CallOptions = { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY }

/**
 * Tasks of 2025-11-25: the result is a request of its own, which waits for the end of the task. Input requests
 * are requests of the server, which it may send while that one waits.
 */
export class FetchedResult implements TaskResultReader {
  readonly #polled: PolledTask
  #waiting: Promise<void> | undefined
  isWaiting = false

  constructor(polled: PolledTask) {
    this.#polled = polled
  }

  async read(task: DetailedTask): Promise<JsonObject | undefined> {
    if (task.status === 'cancelled') throw wasCancelled(task)
    this.isWaiting = task.status === 'input_required'
    if (this.isWaiting) this.#wait()
    if (!hasEnded(task.status)) return undefined
    const { signal, timeoutMs } = this.#polled
    if (this.#waiting !== undefined)
      await (timeoutMs > longestTimerMs ? this.#waiting : withinMs(timeoutMs, this.#waiting))
    return signal.aborted ? undefined : this.#fetch({ timeoutMs })
  }

  /** A person may take a long time to answer: polls show meanwhile that the server is alive. */
  #wait(): void {
    const polled = this.#polled
    this.#waiting ??= this.#fetch({ ...patiently, signal: polled.signal }).then(
      (result) => polled.finish(result, result.isError === true ? 'failed' : 'completed'),
      (error: unknown) => {
        this.#waiting = undefined
        if (!isPassing(error) || polled.host.connection.ended !== undefined) polled.stop(error as Error)
      },
    )
  }

  async #fetch(options: CallOptions): Promise<JsonObject> {
    const { host, id } = this.#polled
    try {
      return await host.requests.call('tasks/result', { taskId: id }, options)
    } catch (error) {
      if (isRpcError(error)) await this.#assertNotCancelled()
      throw error
    }
  }

  /** A cancelled task has no result, and servers differ in the error for it. */
  async #assertNotCancelled(): Promise<void> {
    const task = await this.#polled.get().catch(() => undefined)
    if (task?.status === 'cancelled') throw wasCancelled(task)
  }
}
