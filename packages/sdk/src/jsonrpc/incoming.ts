import type { McpError } from '../errors.ts'
import type { Sink } from './channel.ts'
import type { JsonObject, Request, RequestId } from './message.ts'

/** A request of the peer while it is being answered. */
export class IncomingRequest {
  readonly id: RequestId
  readonly method: string
  params: JsonObject | undefined
  /** Sends its answer, and all related messages. */
  readonly sink: Sink
  /** True if it is meant to stay open: then it does not count as work, and its owner bounds it. */
  standing = false
  #controller: AbortController | undefined
  #cancelled: McpError | undefined
  #settled = false

  constructor(message: Request, sink: Sink) {
    this.id = message.id
    this.method = message.method
    this.params = message.params ?? undefined
    this.sink = sink
  }

  /** Fires when the request is cancelled or the connection ends. Created on first use: most handlers never read it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#cancelled !== undefined) this.#controller.abort(this.#cancelled)
    }
    return this.#controller.signal
  }

  /** Marks a request that stays open: its params were read and are not kept. */
  stand(): void {
    this.standing = true
    this.params = undefined
  }

  get cancelled(): boolean {
    return this.#cancelled !== undefined
  }

  /** True once the answer is decided: no related message may be sent any more. */
  get settled(): boolean {
    return this.#settled
  }

  settle(): void {
    this.#settled = true
  }

  /** False if its answer is decided already. */
  cancel(reason: McpError): boolean {
    if (this.#settled) return false
    this.#cancelled = reason
    this.#settled = true
    this.#controller?.abort(reason)
    return true
  }
}
