import { McpError } from '../errors.ts'
import type { Sink } from '../transport/channel.ts'
import type { JsonObject, RequestId } from './message.ts'
import { Deadline, tickIn, unwatch, watch } from './wheel.ts'

/** How long to wait for an answer, and who may end the wait. */
export interface WaitOptions {
  /** Silence longer than this ends the wait; progress starts it anew. */
  timeoutMs?: number
  /** The whole wait never exceeds this, whatever progress is made. */
  maxTotalMs?: number
  signal?: AbortSignal
  onProgress?: (params: JsonObject) => void
}

/** A request of ours that waits for its answer. */
export class Pending extends Deadline {
  readonly id: RequestId
  readonly method: string
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: Error) => void
  readonly onProgress: ((params: JsonObject) => void) | undefined
  /** Where the request goes. */
  readonly sink: Sink
  /** True once the request has been handed over. */
  sent = false
  readonly #timeoutMs: number
  readonly #hardTick: number
  readonly #abandon: (pending: Pending, error: McpError) => void
  readonly #signal: AbortSignal | undefined
  #onAbort: (() => void) | undefined

  constructor(
    id: RequestId,
    method: string,
    wait: Required<Pick<WaitOptions, 'timeoutMs' | 'maxTotalMs'>> & WaitOptions,
    settle: { resolve: (result: JsonObject) => void; reject: (error: Error) => void },
    abandon: (pending: Pending, error: McpError) => void,
    sink: Sink,
  ) {
    super()
    this.id = id
    this.method = method
    this.resolve = settle.resolve
    this.reject = settle.reject
    this.onProgress = wait.onProgress
    this.#timeoutMs = wait.timeoutMs
    this.#hardTick = tickIn(wait.maxTotalMs)
    this.#abandon = abandon
    this.sink = sink
    this.#signal = wait.signal
    this.touch()
    watch(this)
    this.#listen()
  }

  /** The peer showed a sign of life: the silence starts anew, the hard maximum stays. */
  touch(): void {
    this.expiresAt = Math.min(tickIn(this.#timeoutMs), this.#hardTick)
  }

  expire(): void {
    const hard = this.expiresAt === this.#hardTick
    const limit = hard ? 'the maximum total time' : `${this.#timeoutMs} ms`
    this.#abandon(this, new McpError('timeout', `No answer to ${this.method} within ${limit}`))
  }

  /** Ends the watching; whoever calls this settles the promise. */
  release(): void {
    unwatch(this)
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener('abort', this.#onAbort)
  }

  #listen(): void {
    if (this.#signal === undefined) return
    this.#onAbort = () => {
      this.#abandon(this, new McpError('cancelled', `${this.method} was cancelled`, { cause: this.#signal?.reason }))
    }
    this.#signal.addEventListener('abort', this.#onAbort, { once: true })
  }
}
