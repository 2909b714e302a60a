import type { Socket } from 'node:net'
import { McpError } from '../errors.ts'
import type { Budget, Hold } from '../internal/budget.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { withinMs } from '../internal/timers.ts'
import type { ChannelInfo, Receiver } from '../jsonrpc/channel.ts'
import type { Payload } from '../jsonrpc/message.ts'
import { LineReader } from '../transport/lines/line-reader.ts'
import { LineWriter } from '../transport/lines/line-writer.ts'
import type { LineLimits } from '../transport/lines/lines.ts'
import type { HostedChannel } from './connections.ts'

export interface SocketChannelOptions extends LineLimits {
  /** How long `close` waits for the peer to receive everything and to close too; default: 1000. */
  flushTimeoutMs?: number
}

const maxWaiting = 1024 * 1024

/** Lines over a connected socket; each side may end its half first. */
export class SocketChannel implements HostedChannel {
  readonly sendsAfterEnd = true
  readonly about: ChannelInfo
  readonly #socket: Socket
  readonly #flushTimeoutMs: number
  readonly #writer: LineWriter
  readonly #reader: LineReader
  readonly #gone: Promise<void>
  #unsent: Hold | undefined
  #budget: Budget | undefined
  #broken = false
  #closing: Promise<void> | undefined

  constructor(socket: Socket, options: SocketChannelOptions = {}, about: ChannelInfo = { transport: 'socket' }) {
    this.about = about
    this.#socket = socket
    this.#flushTimeoutMs = options.flushTimeoutMs ?? 1000
    this.#writer = new LineWriter(socket)
    this.#reader = new LineReader(socket, options, (error) => {
      this.#reader.finish(error && new McpError('closed', `The connection broke: ${error.message}`, { cause: error }))
    })
    socket.on('error', this.#lose)
    this.#gone = new Promise((resolve) => {
      socket.on('close', () => {
        this.#lose()
        resolve()
      })
    })
  }

  useBudget(budget: Budget): void {
    const unfinished = budget.charge('bodies', 0)
    this.#budget = budget
    this.#unsent = budget.charge('unsent', 0)
    this.#reader.fits = (bytes) => unfinished.resize(bytes)
    this.#socket.once('close', () => {
      unfinished.release()
      this.#unsent!.release()
    })
  }

  open(receiver: Receiver): void {
    this.#reader.open(receiver)
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#closing || this.#broken)
      throw new McpError('closed', this.#reader.reason?.message ?? 'The connection is closed')
    const sending = this.#writer.send(payload)
    if (sending && this.#writer.waiting > maxWaiting) this.#holdInput(sending)
    return sending
  }

  /** A peer that does not read responses gets no more requests in: otherwise the responses would pile up here. */
  #holdInput(drained: Promise<void>): void {
    this.#unsent?.set(this.#writer.waiting)
    if (this.#budget?.isOverrun('unsent')) {
      this.abort(new McpError('closed', 'The client does not read, and no memory is left for what waits for it'))
      return
    }
    if (this.#reader.isHeld) return
    this.#reader.hold()
    void drained.then(() => {
      this.#unsent?.set(0)
      this.#reader.release()
    })
  }

  stopReceiving(): void {
    this.#reader.finish()
  }

  /** Closes at once. */
  abort(reason: McpError): void {
    this.#reader.finish(reason)
    this.#socket.destroy()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#reader.finish()
    await withinMs(this.#flushTimeoutMs, this.#hangUp())
    this.#writer.fail()
    this.#socket.destroy()
  }

  /** Waits for the peer's end too: closing with bytes in flight would lose the messages sent before. */
  async #hangUp(): Promise<void> {
    await this.#writer.flushed()
    this.#socket.end()
    this.#socket.resume()
    await this.#gone
  }

  readonly #lose = (): void => {
    this.#broken = true
    this.#writer.fail()
  }
}
