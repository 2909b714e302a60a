import { McpError } from '../errors.ts'
import type { Sink } from './channel.ts'
import type { JsonObject, Request, RequestId } from './message.ts'
import { Deadline, removeDeadline, tickIn, watch } from './timer-wheel.ts'

/** How long to wait for an answer, and a signal that ends the wait. */
export interface WaitOptions {
  /** The timeout, restarted by progress. */
  timeoutMs?: number
  /** The longest wait, with or without progress. */
  maxTotalMs?: number
  signal?: AbortSignal
  onProgress?: (params: JsonObject) => void
  /** The request is meant to stay open: it has no time limit, and does not count as being in flight. */
  standing?: boolean
}

/** The default timeouts. */
export type WaitLimits = Required<Pick<WaitOptions, 'timeoutMs' | 'maxTotalMs'>>

/** Ends a wait that failed. After `silence` it continues if there was a sign of life after all. */
type Abandon = (pending: Pending, error: McpError, why?: 'silence') => void

/** A request of this side that waits for its answer. */
export class Pending extends Deadline {
  readonly id: RequestId
  readonly method: string
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: Error) => void
  readonly onProgress: ((params: JsonObject) => void) | undefined
  /** The sink for the request. */
  readonly sink: Sink
  /** True once the request was sent. */
  sent = false
  readonly standing: boolean
  readonly #timeoutMs: number
  readonly #hardTick: number
  readonly #abandon: Abandon
  readonly #signal: AbortSignal | undefined

  constructor(
    { id, method }: Request,
    wait: WaitOptions,
    patience: WaitLimits,
    settle: { resolve: (result: JsonObject) => void; reject: (error: Error) => void },
    abandon: Abandon,
    sink: Sink,
  ) {
    super()
    this.id = id
    this.method = method
    this.resolve = settle.resolve
    this.reject = settle.reject
    this.onProgress = wait.onProgress
    this.#timeoutMs = wait.timeoutMs ?? patience.timeoutMs
    this.#abandon = abandon
    this.sink = sink
    this.#signal = wait.signal
    this.standing = wait.standing ?? false
    const now = performance.now()
    this.#hardTick = tickIn(wait.maxTotalMs ?? patience.maxTotalMs, now)
    this.expiresAt = Math.min(tickIn(this.#timeoutMs, now), this.#hardTick)
    if (!this.standing) watch(this)
    if (this.#signal !== undefined) listen(this.#signal, this)
  }

  /** The peer showed a sign of life: the timeout restarts, the hard maximum stays. */
  touch(): void {
    this.expiresAt = Math.min(tickIn(this.#timeoutMs), this.#hardTick)
  }

  expire(): void {
    const hard = this.expiresAt === this.#hardTick
    const limit = hard ? 'the maximum total time' : `${this.#timeoutMs} ms`
    const error = new McpError('timeout', `No answer to ${this.method} within ${limit}`)
    this.#abandon(this, error, hard ? undefined : 'silence')
  }

  /** Continues to wait after a timeout. */
  resume(): void {
    this.touch()
    watch(this)
  }

  /** Stops the timers; the caller settles the promise. */
  release(): void {
    removeDeadline(this)
    if (this.#signal !== undefined) stopListening(this.#signal, this)
  }

  abort(): void {
    const cause: unknown = this.#signal?.reason
    this.#abandon(this, new McpError('cancelled', `${this.method} was cancelled`, { cause }))
  }
}

interface Listening {
  waiting: Set<Pending>
  listener: () => void
}

// One listener per signal, shared by its requests: Node warns of a leak beyond ten.
const listening = new WeakMap<AbortSignal, Listening>()

function listen(signal: AbortSignal, pending: Pending): void {
  const known = listening.get(signal)
  if (known !== undefined) {
    known.waiting.add(pending)
    return
  }
  const waiting = new Set([pending])
  const listener = (): void => {
    for (const one of [...waiting]) one.abort()
  }
  listening.set(signal, { waiting, listener })
  signal.addEventListener('abort', listener, { once: true })
}

function stopListening(signal: AbortSignal, pending: Pending): void {
  const known = listening.get(signal)
  if (known === undefined || !known.waiting.delete(pending) || known.waiting.size > 0) return
  listening.delete(signal)
  signal.removeEventListener('abort', known.listener)
}
