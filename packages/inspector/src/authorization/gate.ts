import { McpError } from '@tenon/sdk/client'

/** Lets requests through, or holds them until the person says so. */
export class Gate {
  #halting = false
  readonly #waiting = new Set<() => void>()

  get halting(): boolean {
    return this.#halting
  }

  halt(halting: boolean): void {
    this.#halting = halting
    if (!halting) this.next()
  }

  /** Releases the waiting requests; false if there are none. */
  next(): boolean {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const go of waiting) go()
    return waiting.length > 0
  }

  /** Resolves when the request may be sent; rejects when it is aborted. */
  hold(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(go)
        reject(new McpError('cancelled', 'Nobody waits for the authorization any more'))
      }
      const go = (): void => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      this.#waiting.add(go)
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted) stop()
    })
  }
}
