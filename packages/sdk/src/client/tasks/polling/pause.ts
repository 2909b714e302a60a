/** A pause that can be made shorter while it lasts, or before it begins. */
export class Pause {
  #timer: ReturnType<typeof setTimeout> | undefined
  #resolve: (() => void) | undefined
  #due = 0
  #shortened: number | undefined
  #ended = false

  wait(ms: number): Promise<void> {
    const least = Math.min(ms, this.#shortened ?? ms)
    this.#shortened = undefined
    if (this.#ended) return Promise.resolve()
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#set(least)
    })
  }

  /** The pause, this one or the next, shall not be longer than this. */
  shorten(ms: number): void {
    if (this.#resolve === undefined) this.#shortened = ms
    else if (performance.now() + ms < this.#due) this.#set(ms)
  }

  /** No pause lasts any more. */
  end(): void {
    this.#ended = true
    this.#done()
  }

  #set(ms: number): void {
    clearTimeout(this.#timer)
    this.#due = performance.now() + ms
    this.#timer = setTimeout(() => this.#done(), ms)
  }

  #done(): void {
    clearTimeout(this.#timer)
    this.#resolve?.()
    this.#resolve = undefined
  }
}
