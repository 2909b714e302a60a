import { McpError } from '../../errors.ts'
import { httpDefaults } from '../../http-client/http-options.ts'
import { backoffMs } from '../../internal/timers.ts'
import type { ClientSettings } from '../options.ts'

/** Opens a subscription stream again after growing pauses. */
export class RetryTimer {
  readonly #report: (error: Error) => void
  readonly #open: () => void
  readonly #reconnectMs: number
  readonly #maxReconnectMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #attempts = 0

  constructor({ report, httpLimits }: ClientSettings, open: () => void) {
    const { reconnectMs, maxReconnectMs } = { ...httpDefaults, ...httpLimits }
    this.#report = report
    this.#open = open
    this.#reconnectMs = reconnectMs
    this.#maxReconnectMs = maxReconnectMs
  }

  /** Reports the reason, unless the server ended the stream in order, as it may at any time. */
  schedule(why: string | undefined): void {
    const delayMs = backoffMs(++this.#attempts, this.#reconnectMs, this.#maxReconnectMs)
    if (why !== undefined)
      this.#report(new McpError('closed', `subscriptions/listen is opened again in ${delayMs} ms: ${why}`))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#open, delayMs)
  }

  cancel(): void {
    clearTimeout(this.#timer)
  }

  /** The next pause is the shortest again. */
  reset(): void {
    this.#attempts = 0
  }

  /** The same after a stream that was open long enough. */
  resetAfter(openMs: number): void {
    if (openMs > this.#maxReconnectMs) this.reset()
  }
}
