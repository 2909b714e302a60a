import type { JsonObject } from '@tenon/sdk/client'

type Send = (method: string, params: JsonObject) => void | Promise<void>

/** The most notifications that wait for a slow client. */
const maxWaiting = 256

/**
 * Notifications for a client that may be slower than the server. Newer progress replaces older progress, and the queue is
 * bounded: the protocol has no back pressure for notifications.
 */
export class NotificationQueue {
  readonly #send: Send
  readonly #waiting: [string, JsonObject][] = []
  #busy = false

  constructor(send: Send) {
    this.#send = send
  }

  post(method: string, params: JsonObject): void {
    if (this.#busy) this.#keep(method, params)
    else this.#pass(method, params)
  }

  #pass(method: string, params: JsonObject): void {
    const sending = this.#send(method, params)
    if (!(sending instanceof Promise)) return
    this.#busy = true
    sending.catch(() => {}).finally(() => this.#next())
  }

  #next(): void {
    this.#busy = false
    while (!this.#busy) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#pass(...next)
    }
  }

  #keep(method: string, params: JsonObject): void {
    const last = this.#waiting.at(-1)
    if (method === 'notifications/progress' && last?.[0] === method) this.#waiting.pop()
    if (this.#waiting.length < maxWaiting) this.#waiting.push([method, params])
  }
}
