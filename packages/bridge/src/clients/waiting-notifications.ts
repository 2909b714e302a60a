import { type JsonObject, McpError } from '@tenon/sdk/client'

/** The bytes of notifications that may wait for a server that does not read, or does not start. */
const maxWaitingBytes = 4 * 1024 * 1024

/** Forwards notifications of clients. Nobody waits for them, so they are dropped when too many wait for the server. */
export class WaitingNotifications {
  readonly #report: (error: unknown) => void
  #waitingBytes = 0

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  forward(method: string, params: JsonObject, send: () => Promise<unknown>): void {
    const bytes = method.length + JSON.stringify(params).length
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > maxWaitingBytes) {
      const problem = `${method} of a client was dropped: ${this.#waitingBytes} bytes of notifications wait for the server`
      this.#report(new McpError('closed', problem))
      return
    }
    this.#waitingBytes += bytes
    send()
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#waitingBytes -= bytes
      })
  }
}
