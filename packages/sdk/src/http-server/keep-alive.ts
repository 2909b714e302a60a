/** Something that wants to be called now and then. */
export interface KeepAliveTarget {
  /** Called once per interval. */
  sendKeepAlive(): void
  /** The server shuts down: end what can be ended here. */
  stop?(): void
}

/** One timer for all that is open, which stops some time after the last of it. */
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
    // Whatever comes after the end ends as well.
    if (this.#stopped) member.stop?.()
    if (this.#timer !== undefined) return
    this.#timer = setInterval(this.#tick, this.#intervalMs)
    // Nobody should be kept alive by the wish to look alive; where timers are numbers nothing is.
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
