/** The state of an upstream, as requests and checks found it. */
export type UpstreamState = 'unknown' | 'up' | 'failing' | 'down'

interface BreakerOptions {
  readonly failures?: number
  readonly restMs?: number
}

/**
 * Lets requests through until several in a row failed. Then none pass for a while, after which one tries again: an
 * upstream that is down gets no crowd, and nobody waits for it.
 */
export class Breaker {
  readonly #limit: number
  readonly #restMs: number
  readonly #changed: (state: UpstreamState) => void
  #failures = 0
  #state: UpstreamState = 'unknown'
  #until = 0
  #trying = false

  constructor({ failures = 5, restMs = 10_000 }: BreakerOptions, changed: (state: UpstreamState) => void) {
    this.#limit = failures
    this.#restMs = restMs
    this.#changed = changed
  }

  get state(): UpstreamState {
    return this.#state
  }

  /** How long nothing passes; 0 lets the request through, and a caller that gets it reports the outcome. */
  wait(): number {
    if (this.#state !== 'down') return 0
    const left = this.#until - performance.now()
    if (left > 0) return left
    if (this.#trying) return this.#restMs
    this.#trying = true
    return 0
  }

  succeeded(): void {
    this.#failures = 0
    this.#trying = false
    this.#become('up')
  }

  failed(): void {
    this.#failures++
    this.#trying = false
    const isDown = this.#failures >= this.#limit
    if (isDown) this.#until = performance.now() + this.#restMs
    this.#become(isDown ? 'down' : 'failing')
  }

  /** The outcome says nothing about the upstream; if it was the one that tried, another one may. */
  undecided(): void {
    this.#trying = false
  }

  #become(state: UpstreamState): void {
    if (state === this.#state) return
    this.#state = state
    this.#changed(state)
  }
}
