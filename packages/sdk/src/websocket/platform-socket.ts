import { guardListener } from '../internal/guard-listener.ts'
import { CloseCode, type FrameEvents, type FrameSocket } from './frame-socket.ts'

/** The used part of the platform's `WebSocket`. */
export interface PlatformWebSocket {
  readonly bufferedAmount: number
  readonly protocol: string
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void
  addEventListener(type: 'open' | 'error', listener: (event: object) => void): void
}

/** A constructor such as the global `WebSocket`. */
export type WebSocketConstructor = new (url: string, protocols: string[]) => PlatformWebSocket

// The platform has no event for it.
const pollMs = 10

/** The WebSocket of a browser, Deno, Bun or Node. It cannot ping, stop reading, or terminate at once. */
export class PlatformSocket implements FrameSocket {
  readonly #socket: PlatformWebSocket
  #events: FrameEvents | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(socket: PlatformWebSocket) {
    this.#socket = socket
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount
  }

  listen(events: FrameEvents): void {
    this.#events = events
    const take = ({ data }: { data: unknown }): void => {
      if (typeof data === 'string') events.text(data)
      else events.binary()
    }
    const report = (): void => this.close(CloseCode.InternalError, 'Internal error')
    this.#socket.addEventListener('message', guardListener(take, { report }))
    this.#socket.addEventListener('error', () => {})
    this.#socket.addEventListener('close', ({ code, reason }) => {
      clearTimeout(this.#timer)
      events.ended(code, reason)
    })
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  close(code: number, reason: string): void {
    // The platform reserves the codes of the protocol for itself, and leaves 4000 to 4999 to applications.
    this.#socket.close(code === CloseCode.Normal ? code : code + 3000, reason)
  }

  terminate(): void {
    this.#socket.close()
  }

  watchBuffer(): void {
    this.#timer ??= setTimeout(this.#poll, pollMs)
  }

  readonly #poll = (): void => {
    this.#timer = undefined
    this.#events?.sent()
    if (this.#socket.bufferedAmount > 0) this.watchBuffer()
  }
}
