import { McpError } from '../errors.ts'
import type { FrameSocket } from './frame-socket.ts'

// A pong may wait unread while this process was busy, so it gets a chance to be read before the verdict.
const graceMs = 1000

/** Detects a peer that is gone without a close: pings, and expects a sign of life until the next ping. */
export class KeepAlive {
  readonly #wire: FrameSocket
  readonly #intervalMs: number
  readonly #onDead: (reason: McpError) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #alive = true

  constructor(wire: FrameSocket, intervalMs: number, onDead: (reason: McpError) => void) {
    this.#wire = wire
    this.#intervalMs = intervalMs
    this.#onDead = onDead
    if (intervalMs > 0 && wire.ping) this.#wait(this.#check, intervalMs)
  }

  alive(): void {
    this.#alive = true
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  readonly #check = (): void => {
    if (this.#alive) this.#ping()
    else this.#wait(this.#decide, Math.min(graceMs, this.#intervalMs))
  }

  readonly #decide = (): void => {
    if (this.#alive) this.#ping()
    else this.#onDead(new McpError('closed', `The other side did not answer a ping within ${this.#intervalMs} ms`))
  }

  #ping(): void {
    this.#alive = false
    this.#wire.ping?.()
    this.#wait(this.#check, this.#intervalMs)
  }

  #wait(next: () => void, delayMs: number): void {
    this.#timer = setTimeout(next, delayMs)
    // The timer alone must not keep the process alive.
    ;(this.#timer as { unref?(): void }).unref?.()
  }
}
