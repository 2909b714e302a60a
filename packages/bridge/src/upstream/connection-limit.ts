import { ErrorCode, McpError, RpcError } from '@tenon/sdk/client'

/** The number of connections to the server, of sessions and of stateless clients together. */
export class ConnectionLimit {
  readonly #limit: number
  #taken = 0
  #closed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  get full(): boolean {
    return this.#taken >= this.#limit
  }

  /** Counts one more connection; throws if there is no place for it. */
  take(): void {
    if (this.#closed) throw new McpError('closed', 'The bridge was closed')
    if (this.full) {
      const limit = this.#limit
      throw new RpcError(ErrorCode.InternalError, `Too many connections to the server (the limit is ${limit})`, {
        limit,
      })
    }
    this.#taken++
  }

  leave(): void {
    this.#taken--
  }

  close(): void {
    this.#closed = true
  }
}
