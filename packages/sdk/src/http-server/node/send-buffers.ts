import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Budget, Hold } from '../../internal/budget.ts'
import { Deadline, removeDeadline, tickIn, watch } from '../../jsonrpc/timer-wheel.ts'
import { endWaitingAnswers } from './turn-end.ts'

/** Answers that are smaller leave with the next packets, and are not worth counting. */
const countedBytes = 64 * 1024
/** A client that read nothing for this long makes room for others when memory is short. */
const staleMs = 1_000

interface SendBufferLimits {
  /** Unread bytes of one connection, from which on no more requests are taken from it. */
  readonly maxBufferedBytes: number
  /** How long a client may read nothing while an answer waits for it. */
  readonly unreadTimeoutMs: number
  readonly budget: Budget
}

const key = Symbol('tenon.buffer')
const size = Symbol('tenon.size')

/** An answer that waits, and its bytes: a closure for each would cost more than the rest of the counting. */
type Answer = ServerResponse & { [key]: SendBuffer; [size]: number }

function leaves(this: Answer): void {
  this[key].left(this[size])
}

/** The connections whose clients are behind with reading, the longest silent first. */
export class SendBuffers {
  readonly limits: SendBufferLimits
  readonly #behind = new Set<SendBuffer>()

  constructor(limits: SendBufferLimits) {
    this.limits = limits
  }

  bufferOf(socket: Socket): SendBuffer {
    const connection = socket as Socket & { [key]?: SendBuffer }
    connection[key] ??= new SendBuffer(connection, this)
    return connection[key]
  }

  /** A client is behind, or has just read something. */
  note(buffer: SendBuffer): void {
    this.#behind.delete(buffer)
    this.#behind.add(buffer)
  }

  forget(buffer: SendBuffer): void {
    this.#behind.delete(buffer)
  }

  /** Whether another answer may be made. Clients that have stopped reading are disconnected first. */
  get hasRoom(): boolean {
    const { budget } = this.limits
    if (!budget.isFull('unsent')) return true
    const now = performance.now()
    for (const buffer of this.#behind) if (budget.isFull('unsent') && buffer.isStale(now)) buffer.end()
    return !budget.isFull('unsent')
  }

  /** Calls that were accepted before still get their answers; beyond twice the share a client is disconnected. */
  shed(newest: SendBuffer): void {
    const { budget } = this.limits
    if (!budget.isOverrun('unsent')) return
    // Answers to clients that do read may only be waiting for the end of the turn.
    endWaitingAnswers()
    for (const buffer of this.#behind) if (buffer !== newest && budget.isOverrun('unsent')) buffer.end()
    if (budget.isOverrun('unsent') && newest.answers > 1) newest.end()
  }
}

/** The unread bytes of one connection. Nothing is counted as long as the client keeps up. */
export class SendBuffer extends Deadline {
  readonly #socket: Socket
  readonly #buffers: SendBuffers
  /** Complete answers that were handed over and have not left, and their bytes. */
  answers = 0
  #answerBytes = 0
  #streamBytes = 0
  #hold: Hold | undefined
  #room: Promise<boolean> | undefined
  #openRoom: ((isThere: boolean) => void) | undefined
  #queued: number | undefined
  #readAt = 0
  #closed = false

  constructor(socket: Socket, buffers: SendBuffers) {
    super()
    this.#socket = socket
    this.#buffers = buffers
  }

  /** Resolves when the client has read enough, to false if it left; undefined if there is nothing to wait for. */
  room(): Promise<boolean> | undefined {
    if (this.#bytes <= this.#buffers.limits.maxBufferedBytes) return undefined
    this.#room ??= new Promise((resolve) => {
      this.#openRoom = resolve
    })
    return this.#room
  }

  /** An answer is about to be handed over. False if the client has left, or it was one too many. */
  add(bytes: number): boolean {
    if (this.#isGone) return false
    this.answers++
    this.#answerBytes += bytes
    if (this.#bytes > countedBytes) this.#count()
    return !this.#closed
  }

  /** The answer was handed over. */
  added(response: ServerResponse, bytes: number): void {
    if (response.writableFinished || this.#closed) {
      this.left(bytes)
      return
    }
    const answer = response as Answer
    answer[key] = this
    answer[size] = bytes
    // An answer that waits behind another emits nothing when the connection is cut, but the connection does.
    answer.on('close', leaves)
  }

  /** Sets the unread bytes of a stream. */
  streams(bytes: number): void {
    this.#streamBytes = bytes
    this.#changed()
  }

  isStale(now: number): boolean {
    this.#look()
    return this.#readAt <= now - staleMs
  }

  expire(): void {
    if (this.isStale(performance.now() - this.#buffers.limits.unreadTimeoutMs + staleMs)) this.end()
    else this.#watch()
  }

  /** Disconnects a client that does not read, and drops its answers. */
  end(): void {
    this.#socket.destroy()
    this.#close()
  }

  /** A connection that is cut emits `close` later, and only to listeners from before. */
  get #isGone(): boolean {
    return this.#closed || this.#socket.destroyed
  }

  get #bytes(): number {
    return this.#answerBytes + this.#streamBytes
  }

  /** An answer has left, or never will. */
  left(bytes: number): void {
    if (this.#closed) return
    this.answers--
    this.#answerBytes -= bytes
    this.#changed()
  }

  #changed(): void {
    if (this.#closed) return
    if (this.#bytes > countedBytes) this.#count()
    else if (this.#hold !== undefined) this.#caughtUp()
    if (this.#room !== undefined && this.#bytes <= this.#buffers.limits.maxBufferedBytes) this.#open(true)
  }

  #count(): void {
    if (this.#isGone) return
    if (this.#hold === undefined) this.#start()
    const grew = this.#bytes > this.#hold!.bytes
    this.#hold!.set(this.#bytes)
    if (grew) this.#buffers.shed(this)
    else this.#read()
  }

  #start(): void {
    this.#hold = this.#buffers.limits.budget.charge('unsent', 0)
    this.#socket.once('close', this.#close)
    this.#queued = undefined
    this.#read()
    this.#watch()
  }

  #caughtUp(): void {
    this.#hold!.release()
    this.#hold = undefined
    this.#socket.off('close', this.#close)
    this.#buffers.forget(this)
    removeDeadline(this)
  }

  #read(): void {
    this.#readAt = performance.now()
    this.#buffers.note(this)
  }

  /** One long answer is read in parts, which only the socket's queue shows. */
  #look(): void {
    const { writeQueueSize } = (this.#socket as { _handle?: { writeQueueSize?: number } | null })._handle ?? {}
    if (this.#queued !== undefined && writeQueueSize !== this.#queued) this.#read()
    this.#queued = writeQueueSize
  }

  #watch(): void {
    this.#look()
    this.expiresAt = tickIn(this.#buffers.limits.unreadTimeoutMs)
    watch(this)
  }

  readonly #close = (): void => {
    if (this.#closed) return
    this.#closed = true
    this.#hold?.release()
    this.#buffers.forget(this)
    removeDeadline(this)
    this.#answerBytes = 0
    this.#streamBytes = 0
    this.#open(false)
  }

  #open(isThere: boolean): void {
    this.#room = undefined
    this.#openRoom?.(isThere)
  }
}
