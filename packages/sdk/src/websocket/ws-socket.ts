import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { guardListener } from '../internal/guard-listener.ts'
import { CloseCode, type FrameEvents, type FrameSocket } from './frame-socket.ts'

// Beyond this much a write does not wait for the end of the tick.
const eagerBytes = 64 * 1024

/** A WebSocket of the `ws` package over `stream`. */
export class WsSocket implements FrameSocket {
  readonly #socket: WebSocket
  readonly #stream: Duplex
  #corked = false
  #events: FrameEvents | undefined

  constructor(socket: WebSocket, stream: Duplex) {
    this.#socket = socket
    this.#stream = stream
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount
  }

  listen(events: FrameEvents): void {
    this.#events = events
    const socket = this.#socket
    let failure: Error | undefined
    const guard = {
      report: (error: unknown) => {
        failure = error instanceof Error ? error : new Error(String(error))
        socket.close(CloseCode.InternalError)
      },
    }
    const take = (data: Buffer, isBinary: boolean): void => {
      if (isBinary) events.binary()
      else events.text(data.toString('utf8'))
    }
    // Answered here and not by `ws`, so that pings of a peer that does not read count as `sent` too.
    const answerPing = (data: Buffer): void => {
      if (socket.readyState === socket.OPEN) socket.pong(data, undefined, this.#onSent)
      events.alive()
    }
    socket.on('message', guardListener(take, guard))
    socket.on(
      'pong',
      guardListener(() => events.alive(), guard),
    )
    socket.on('ping', guardListener(answerPing, guard))
    socket.on('error', (error) => {
      failure = error
    })
    socket.on('close', (code: number, reason: Buffer) => events.ended(code, reason.toString('utf8'), failure))
  }

  send(text: string): void {
    this.#cork()
    this.#socket.send(text, this.#onSent)
    if (this.#stream.writableLength > eagerBytes) this.#uncork()
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  hold(): void {
    this.#socket.pause()
  }

  release(): void {
    this.#socket.resume()
  }

  /** Bytes since the last message: `ws` does not expose the size of the next one. */
  watchInput(told: (bytes: number) => void): void {
    let bytes = 0
    const add = (chunk: Buffer): void => {
      bytes += chunk.length
      told(bytes)
    }
    const restart = (): void => {
      bytes = 0
      told(0)
    }
    const guard = { report: () => this.terminate() }
    this.#stream.prependListener('data', guardListener(add, guard))
    this.#socket.on('message', guardListener(restart, guard))
  }

  ping(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }

  /** Everything sent in one tick goes out in one write. */
  #cork(): void {
    if (this.#corked) return
    this.#corked = true
    this.#stream.cork()
    process.nextTick(this.#uncork)
  }

  readonly #uncork = (): void => {
    if (!this.#corked) return
    this.#corked = false
    this.#stream.uncork()
  }

  readonly #onSent = (): void => this.#events?.sent()
}
