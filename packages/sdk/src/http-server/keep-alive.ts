/** An open stream or request. */
export interface KeepAliveTarget {
  /** Called once per interval. */
  sendKeepAlive(): void
  /** The server shuts down: ends the stream or request. */
  stop?(): void
}

/** One timer for all open streams, which stops some time after the last of them. */
export class KeepAliveTimer {
  readonly #intervalMs: number
  readonly #members = new Set<KeepAliveTarget>()
  #timer: ReturnType<typeof setInterval> | undefined
  #stopped = false

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  add(member: KeepAliveTarget): void {
    this.#members.add(member)
    // A target that comes after the end is stopped at once.
    if (this.#stopped) member.stop?.()
    if (this.#timer !== undefined) return
    this.#timer = setInterval(this.#tick, this.#intervalMs)
    // The timer must not keep the process alive; where timers are numbers it does not.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  delete(member: KeepAliveTarget): void {
    this.#members.delete(member)
  }

  readonly #tick = (): void => {
    for (const each of this.#members) each.sendKeepAlive()
    // Only here: starting and stopping a timer with every request would cost more than the request.
    if (this.#members.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  stop(): void {
    this.#stopped = true
    for (const each of [...this.#members]) each.stop?.()
  }

  get size(): number {
    return this.#members.size
  }
}
