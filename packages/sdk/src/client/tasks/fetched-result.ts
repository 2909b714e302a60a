import { isRpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { type DetailedTask, hasEnded } from '../../model/tasks.ts'
import type { CallOptions } from '../types.ts'
import { type Attendant, type Following, wasCancelled } from './following.ts'
import { isPassing } from './pauses.ts'

const patiently: CallOptions = { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY }

/**
 * Tasks of 2025-11-25: the result is a request of its own, which waits for the end of the task. Questions are requests
 * of the server, which it may send while that one waits.
 */
export class FetchedResult implements Attendant {
  readonly #following: Following
  #waiting: Promise<void> | undefined

  constructor(following: Following) {
    this.#following = following
  }

  async see(task: DetailedTask): Promise<JsonObject | undefined> {
    if (task.status === 'cancelled') throw wasCancelled(task)
    if (task.status === 'input_required') this.#wait()
    if (!hasEnded(task.status)) return undefined
    const { signal, timeoutMs } = this.#following
    if (this.#waiting !== undefined) await within(timeoutMs, this.#waiting)
    return signal.aborted ? undefined : this.#fetch({ timeoutMs })
  }

  /** Somebody may take a long time to answer: looks at the task tell meanwhile that the server is still there. */
  #wait(): void {
    const following = this.#following
    this.#waiting ??= this.#fetch({ ...patiently, signal: following.signal }).then(
      (result) => following.finish(result, result.isError === true ? 'failed' : 'completed'),
      (error: unknown) => {
        this.#waiting = undefined
        if (!isPassing(error) || following.host.ended() !== undefined) following.stop(error as Error)
      },
    )
  }

  async #fetch(options: CallOptions): Promise<JsonObject> {
    const { host, id } = this.#following
    try {
      return await host.call('tasks/result', { taskId: id }, options)
    } catch (error) {
      if (isRpcError(error)) await this.#assertNotCancelled()
      throw error
    }
  }

  /** There is no result of a task that was cancelled, and what is said instead differs. */
  async #assertNotCancelled(): Promise<void> {
    const task = await this.#following.look().catch(() => undefined)
    if (task?.status === 'cancelled') throw wasCancelled(task)
  }
}

function within(ms: number, promise: Promise<void>): Promise<void> {
  if (ms > 2 ** 31 - 1) return promise
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
