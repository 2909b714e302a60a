import { ErrorCode, RpcError } from '../../errors.ts'

/** One subscription that is open, or about to be. */
export interface Listen {
  /** Resolves when the server ends it. */
  readonly ended: Promise<void>
  /** Makes room for another. */
  leave(): void
}

/** The open subscriptions of one connection, or of one HTTP endpoint. */
export class Listens {
  readonly #limit: number
  readonly #open = new Set<() => void>()
  #ended = false

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#open.size
  }

  get full(): boolean {
    return this.#open.size >= this.#limit
  }

  /** Takes a place; throws if there is none. */
  add(): Listen {
    if (this.full) {
      const limit = this.#limit
      throw new RpcError(ErrorCode.InternalError, `Too many open subscriptions (the limit is ${limit})`, { limit })
    }
    let end!: () => void
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#open.add(end)
    // Whoever comes after the end hears that it is over, and not that something is wrong.
    if (this.#ended) end()
    return { ended, leave: () => this.#open.delete(end) }
  }

  /** Ends all of them, and those that still come; done when the last words of each have been handed over. */
  async end(): Promise<void> {
    this.#ended = true
    if (this.#open.size === 0) return
    for (const end of this.#open) end()
    // The answers follow in microtasks.
    await new Promise((resolve) => setTimeout(resolve))
  }
}
