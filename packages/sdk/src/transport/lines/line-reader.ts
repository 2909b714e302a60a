import type { Readable } from 'node:stream'
import { textToBytes } from '../../internal/base64.ts'
import { guardListener } from '../../internal/guard-listener.ts'
import type { Receiver } from '../../jsonrpc/channel.ts'
import { LineDecoder, type LineLimits } from './lines.ts'

/** Looked up, not imported: so this can share a file with code that runs everywhere. */
const { Buffer } = globalThis as { Buffer?: typeof globalThis.Buffer }

/** The receiving half of a channel over a byte stream: reads lines once opened, and calls `closed` once, last. */
export class LineReader {
  readonly #input: Readable
  readonly #limits: LineLimits
  readonly #onEnd: (error?: Error) => void
  /** Whether there is memory for an unfinished line; set before `open` if memory is counted. */
  fits: ((bytes: number) => boolean) | undefined
  #receiver: Receiver | undefined
  #decoder: LineDecoder | undefined
  #finished: { reason?: Error } | undefined
  #ended = false

  /** `onEnd` is called once, at the end of the stream; the owner then decides when to `finish`. */
  constructor(input: Readable, limits: LineLimits, onEnd: (error?: Error) => void) {
    this.#input = input
    this.#limits = limits
    this.#onEnd = onEnd
    input.on('error', this.#end)
    // A listener of this kind keeps the bytes in the stream: Node throws away the output of a process that has exited.
    input.on('readable', keep)
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    if (this.#finished) this.#tellClosed()
    else this.#start(receiver)
  }

  #start(receiver: Receiver): void {
    const options = { ...this.#limits, ...(this.fits && { fits: this.fits }) }
    const decoder = new LineDecoder(receiver, { ...options, ...(Buffer && { decode: decodeWithBuffer }) })
    this.#decoder = decoder
    this.#input.off('readable', keep)
    const take = (chunk: Uint8Array | string): void => {
      decoder.push(typeof chunk === 'string' ? textToBytes(chunk) : chunk)
    }
    // It ends like a broken stream, and the owner of the channel gets the error.
    const report = (error: unknown): void => this.#end(error instanceof Error ? error : new Error(String(error)))
    this.#input.on('data', guardListener(take, { report }))
    this.#input.on('end', this.#end)
    this.#input.on('close', () => this.#end())
    if (this.#input.readableEnded || this.#input.destroyed) process.nextTick(this.#end)
    else this.#input.resume()
  }

  /** Delivers and reads nothing more until it is released. */
  hold(): void {
    this.#decoder?.pause()
    this.#input.pause()
  }

  /** Continues with the lines that have arrived, and then with reading, unless it is held again meanwhile. */
  release(): void {
    if (this.#decoder?.resume() ?? true) this.#input.resume()
  }

  get isHeld(): boolean {
    return this.#decoder?.isPaused ?? this.#input.isPaused()
  }

  /** Ends the receiving: nothing more is delivered but `closed`. Later input is read and dropped. */
  finish(reason?: Error): void {
    if (this.#finished) return
    this.#finished = reason ? { reason } : {}
    this.#decoder?.stop()
    if (this.#receiver) this.#tellClosed()
    else this.#input.off('readable', keep).resume()
  }

  /** The reason if the receiving ended abnormally. */
  get reason(): Error | undefined {
    return this.#finished?.reason
  }

  readonly #end = (error?: Error): void => {
    if (this.#ended) return
    this.#ended = true
    this.#decoder?.end()
    this.#onEnd(error)
  }

  #tellClosed(): void {
    // In its own microtask: a receiver may close the channel while receiving.
    queueMicrotask(() => this.#receiver?.closed(this.#finished?.reason))
  }
}

function keep(): void {}

function decodeWithBuffer(bytes: Uint8Array, start: number, end: number): string {
  const isOwn = Buffer!.isBuffer(bytes)
  const buffer = isOwn ? bytes : Buffer!.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return (buffer as Buffer).toString('utf8', start, end)
}
