import { McpError } from '../errors.ts'
import type { Budget, Hold } from '../internal/budget.ts'
import { type Gate, gate } from '../internal/gate.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { withinMs } from '../internal/timers.ts'
import type { ChannelInfo, Receiver } from '../jsonrpc/channel.ts'
import { defaultMaxDepth, maxClientMessageBytes } from '../jsonrpc/limits.ts'
import type { Payload } from '../jsonrpc/message.ts'
import type { HostedChannel } from '../socket/connections.ts'
import { toJson } from '../transport/to-json.ts'
import { CloseCode, type FrameSocket } from './frame-socket.ts'
import { KeepAlive } from './keep-alive.ts'
import { takeText } from './take-text.ts'

/** Bounds of one WebSocket; the defaults keep a hostile peer from exhausting memory or stack. */
export interface WebSocketLimits {
  /** Default: 16 MiB for messages of a server, 4 MiB for those of a client. A longer one ends the connection with code 1009. */
  maxMessageBytes?: number
  /** How deep JSON may nest; default: 64. */
  maxDepth?: number
  /** The interval of pings; a peer that stays silent until the next one is gone. 0 turns it off. Default: 30,000. */
  keepAliveMs?: number
  /** How long `close` waits for the peer to receive everything and to close too; default: 1000. */
  flushTimeoutMs?: number
}

// Beyond this, a sender has to wait; while the peer reads nothing at all, nothing more is read from it.
const highWaterBytes = 64 * 1024
const maxWaitingBytes = 1024 * 1024

/** Text frames over an open WebSocket, one message in each. */
export class WebSocketChannel implements HostedChannel {
  /** The close code and reason that the host sends. */
  farewell: { code: number; reason: string } = { code: CloseCode.Normal, reason: '' }
  about: ChannelInfo = { transport: 'websocket' }
  readonly #wire: FrameSocket
  readonly #maxDepth: number
  readonly #maxMessageBytes: number
  readonly #flushTimeoutMs: number
  readonly #keepAlive: KeepAlive
  readonly #gone: Gate = gate()
  #receiver: Receiver | undefined
  #early: string[] = []
  #finished: { reason?: McpError } | undefined
  #unsent: Hold | undefined
  #budget: Budget | undefined
  #told = false
  #stopped = false
  #broken = false
  #held = true
  #room: Gate | undefined
  #closing: Promise<void> | undefined

  constructor(wire: FrameSocket, limits: WebSocketLimits = {}) {
    this.#wire = wire
    this.#maxDepth = limits.maxDepth ?? defaultMaxDepth
    this.#maxMessageBytes = limits.maxMessageBytes ?? maxClientMessageBytes
    this.#flushTimeoutMs = limits.flushTimeoutMs ?? 1000
    wire.listen({
      text: (text) => this.#take(text),
      binary: () => this.#fail(CloseCode.UnsupportedData, 'Only text frames are understood'),
      sent: () => this.#onSent(),
      alive: () => this.#onAlive(),
      ended: (code, reason, error) => this.#onEnded(code, reason, error),
    })
    wire.hold?.()
    this.#keepAlive = new KeepAlive(wire, limits.keepAliveMs ?? 30_000, (reason) => {
      this.#lose(reason)
      wire.terminate()
    })
  }

  /** True while only this side has ended. */
  get sendsAfterEnd(): boolean {
    return this.#stopped
  }

  useBudget(budget: Budget): void {
    const unfinished = budget.charge('bodies', 0)
    this.#budget = budget
    this.#unsent = budget.charge('unsent', 0)
    this.#wire.watchInput?.((bytes) => {
      if (unfinished.resize(bytes > highWaterBytes ? bytes : 0)) return
      this.#fail(CloseCode.TryAgainLater, 'The server has no memory left for messages')
      this.#wire.terminate()
    })
    void this.#gone.passed.then(() => {
      unfinished.release()
      this.#unsent!.release()
    })
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    queueMicrotask(() => this.#takeEarly())
  }

  /** Delivers messages that came before there was a receiver, and the end if it came too. */
  #takeEarly(): void {
    this.#release()
    if (this.#finished) this.#tellClosed()
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#closing || this.#broken)
      throw new McpError('closed', this.#finished?.reason?.message ?? 'The connection is closed')
    this.#wire.send(toJson(payload))
    const waiting = this.#wire.bufferedAmount
    if (waiting <= highWaterBytes) return
    if (waiting > maxWaitingBytes) this.#holdUnread(waiting)
    return this.#roomToCome()
  }

  #holdUnread(waiting: number): void {
    this.#unsent?.set(waiting)
    if (this.#budget?.isOverrun('unsent')) {
      this.#lose(new McpError('closed', 'The client does not read, and no memory is left for what waits for it'))
      this.#wire.terminate()
    } else this.#hold()
  }

  stopReceiving(): void {
    if (this.#finished) return
    this.#stopped = true
    this.#finish()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#finish()
    this.#release()
    this.#wire.close(this.farewell.code, this.farewell.reason)
    if (!(await withinMs(this.#flushTimeoutMs, this.#gone.passed))) this.#wire.terminate()
    this.#keepAlive.stop()
    this.#makeRoom()
  }

  #take(text: string): void {
    this.#keepAlive.alive()
    if (this.#finished) return
    // A held socket is not read, but messages of the same packet may still be delivered.
    if (this.#receiver && !(this.#held && this.#wire.hold)) this.#deliver(text)
    else this.#early.push(text)
  }

  #deliver(text: string): void {
    // If the limit could not be set on the socket itself, characters are as good as bytes.
    if (text.length > this.#maxMessageBytes) this.#end(CloseCode.MessageTooBig, 'Message too big', this.#tooLarge())
    else takeText(text, this.#maxDepth, this.#receiver!)
  }

  #fail(code: number, reason: string): void {
    this.#end(code, reason, new McpError('closed', `The other side broke the rules: ${reason}`))
  }

  #end(code: number, reason: string, error: McpError): void {
    if (this.#broken) return
    this.#lose(error)
    this.#wire.close(code, reason)
  }

  #tooLarge(cause?: Error): McpError {
    const advice = 'on this side; raise it with maxMessageBytes'
    return new McpError('too_large', `A message exceeds the limit of ${this.#maxMessageBytes} bytes ${advice}`, {
      cause,
    })
  }

  #onSent(): void {
    if (this.#held) this.#keepAlive.alive()
    if (this.#wire.bufferedAmount > highWaterBytes / 2) return
    this.#unsent?.set(0)
    this.#makeRoom()
    if (this.#receiver) this.#release()
  }

  #onAlive(): void {
    this.#keepAlive.alive()
    if (this.#wire.bufferedAmount > maxWaitingBytes) this.#hold()
  }

  #onEnded(code: number, reason: string, error: Error | undefined): void {
    this.#lose(error && exceedsLimit(error) ? this.#tooLarge(error) : endReason(code, reason, error))
    this.#keepAlive.stop()
    this.#gone.open()
  }

  /** Nothing can be sent any more, so nothing is received. */
  #lose(reason: McpError | undefined): void {
    this.#broken = true
    this.#finish(reason)
    this.#makeRoom()
  }

  #finish(reason?: McpError): void {
    if (this.#finished) return
    this.#finished = reason ? { reason } : {}
    if (this.#receiver) this.#tellClosed()
  }

  #tellClosed(): void {
    // In its own microtask: a receiver may close the channel while receiving.
    queueMicrotask(() => {
      if (this.#told) return
      this.#told = true
      this.#receiver?.closed(this.#finished?.reason)
    })
  }

  /** A peer that does not read responses gets no more requests in: otherwise the responses would pile up here. */
  #hold(): void {
    if (this.#held || this.#closing) return
    this.#held = true
    this.#wire.hold?.()
  }

  #release(): void {
    if (!this.#held) return
    this.#held = false
    while (this.#early.length > 0 && !this.#isHeldAgain) {
      const text = this.#early.shift()!
      if (!this.#closing) this.#deliver(text)
    }
    if (!this.#isHeldAgain) this.#wire.release?.()
  }

  /** A delivered message may be answered at once, and the answers may be too much. */
  get #isHeldAgain(): boolean {
    return this.#held && this.#wire.hold !== undefined
  }

  #roomToCome(): Promise<void> {
    this.#room ??= gate()
    this.#wire.watchBuffer?.()
    return this.#room.passed
  }

  #makeRoom(): void {
    this.#room?.open()
    this.#room = undefined
  }
}

/** Whether `ws` refused a message for its size. */
const exceedsLimit = (error: Error): boolean => 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'

function endReason(code: number, reason: string, error: Error | undefined): McpError | undefined {
  if (error) return new McpError('closed', `The connection broke: ${error.message}`, { cause: error })
  if (code === CloseCode.Normal || code === CloseCode.GoingAway || code === CloseCode.NoStatus) return undefined
  const detail = reason === '' ? '' : `: ${reason}`
  return new McpError('closed', `The connection ended with code ${code}${detail}`)
}
