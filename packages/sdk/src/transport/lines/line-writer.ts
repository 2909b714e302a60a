import type { Writable } from 'node:stream'
import { type Gate, gate } from '../../internal/gate.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Payload } from '../../jsonrpc/message.ts'
import { encodeLine } from './lines.ts'

// Beyond this much text a write does not wait for the end of the tick.
const eagerLength = 64 * 1024

/** Writes payloads as lines: everything sent in one tick goes out in one write, and nothing while the reader is behind. */
export class LineWriter {
  readonly #stream: Writable
  readonly #write: (text: string, done: () => void) => boolean
  #text = ''
  #scheduled = false
  #inFlight = 0
  #drained: Gate | undefined
  #idle: Gate | undefined
  #failed = false

  /** `write` replaces `stream.write`, for a stream with a guarded one. */
  constructor(stream: Writable, write?: (text: string, done: () => void) => boolean) {
    this.#stream = stream
    this.#write = write ?? ((text, done) => stream.write(text, done))
    stream.on('drain', this.#onDrain)
  }

  /** Returns a promise while the reader is behind; it resolves when there is room again, or the stream is broken. */
  send(payload: Payload): MaybePromise<void> {
    if (this.#failed) return
    this.#text += encodeLine(payload)
    if (this.#drained) return this.#drained.passed
    if (this.#text.length >= eagerLength) this.#flush()
    else if (!this.#scheduled) {
      this.#scheduled = true
      // Runs after all pending promise callbacks, so the answers of handlers that finish together travel together.
      process.nextTick(this.#flush)
    }
    return (this.#drained as Gate | undefined)?.passed
  }

  /** The length of the text that waits for the reader. */
  get waiting(): number {
    return this.#text.length
  }

  /** Resolves when everything sent so far is written. */
  async flushed(): Promise<void> {
    this.#flush()
    if (this.#failed || (this.#text === '' && this.#inFlight === 0)) return
    this.#idle ??= gate()
    await this.#idle.passed
  }

  /** The stream is broken: drops the rest and resolves every waiting promise. */
  fail(): void {
    this.#failed = true
    this.#text = ''
    this.#stream.off('drain', this.#onDrain)
    this.#drained?.open()
    this.#drained = undefined
    this.#settle()
  }

  readonly #flush = (): void => {
    this.#scheduled = false
    if (this.#stream.destroyed) this.fail()
    if (this.#text === '' || this.#drained) return
    const text = this.#text
    this.#text = ''
    this.#inFlight++
    if (!this.#write(text, this.#onWritten)) this.#drained = gate()
  }

  readonly #onWritten = (): void => {
    this.#inFlight--
    if (this.#inFlight === 0 && this.#text === '') this.#settle()
  }

  readonly #onDrain = (): void => {
    const drained = this.#drained
    this.#drained = undefined
    drained?.open()
    this.#flush()
  }

  #settle(): void {
    this.#idle?.open()
    this.#idle = undefined
  }
}
