import { ErrorCode, RpcError } from '../../errors.ts'
import type { RequestId } from '../../jsonrpc/message.ts'

/** One subscription that is open, or about to be. */
export interface OpenSubscription {
  /** Resolves when the server ends it. */
  readonly ended: Promise<void>
  /** Makes room for another. */
  leave(): void
}

/** The open subscriptions of one connection, or of one HTTP endpoint. */
export class OpenSubscriptions {
  readonly #limit: number
  readonly #open = new Set<{ readonly id: RequestId; readonly end: () => void }>()
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

  /** Takes a place for a request; throws if there is none. */
  add(id: RequestId): OpenSubscription {
    if (this.full) {
      const limit = this.#limit
      throw new RpcError(ErrorCode.InternalError, `Too many open subscriptions (the limit is ${limit})`, { limit })
    }
    let end!: () => void
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const taken = { id, end }
    this.#open.add(taken)
    // A request that comes after the end gets the end, and not an error.
    if (this.#ended) end()
    return { ended, leave: () => this.#open.delete(taken) }
  }

  /** Ends all of them, and those that still come; returns which, when the last words of each have been handed over. */
  async end(): Promise<RequestId[]> {
    this.#ended = true
    const ending = [...this.#open]
    for (const { end } of ending) end()
    // The answers follow in microtasks.
    if (ending.length > 0) await new Promise((resolve) => setTimeout(resolve))
    return ending.map(({ id }) => id)
  }
}
