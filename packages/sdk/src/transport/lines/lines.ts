import { ErrorCode } from '../../errors.ts'
import type { Receiver, Refusal, RefusedInput } from '../../jsonrpc/channel.ts'
import { defaultMaxDepth, exceedsDepth, maxClientMessageBytes } from '../../jsonrpc/limits.ts'
import type { Payload } from '../../jsonrpc/message.ts'
import { refusedText } from '../refused-text.ts'
import { toJson } from '../to-json.ts'
import { type Glimpse, peek, peekAnswer } from './peek.ts'

/** Bounds on one line; the defaults keep a hostile peer from exhausting memory or stack. */
export interface LineLimits {
  /**
   * Default: 16 MiB for messages of a server, 4 MiB for those of a client. A longer line is skipped, and refused with the
   * id of its message if that can be found.
   */
  maxLineBytes?: number
  /** How deep JSON may nest; default: 64. */
  maxDepth?: number
}

export interface LineDecoderOptions extends LineLimits {
  /** Whether there is memory for so many bytes of an unfinished line, called when that changes; default: there is. */
  fits?: (bytes: number) => boolean
  /** Turns UTF-8 bytes into text; default: `TextDecoder`. */
  decode?: (bytes: Uint8Array, start: number, end: number) => string
}

/** A refusal with the kind of the refused message, if it could be read. */
export type LineRefusal = Refusal & Pick<Glimpse, 'kind'>

/** One payload as a line; JSON text never holds a raw line break. */
export const encodeLine = (payload: Payload): string => `${toJson(payload)}\n`

const newline = 0x0a
const byteOrderMark = 0xfeff
const keptBytes = 64 * 1024
const glimpseBytes = 4 * 1024
const nothing = new Uint8Array(0)

/** Decodes bytes cut anywhere, and delivers the JSON value of each line. */
export class LineDecoder {
  readonly #sink: Pick<Receiver, 'receive' | 'refuse'>
  readonly #maxLineBytes: number
  readonly #maxDepth: number
  readonly #decode: (bytes: Uint8Array, start: number, end: number) => string
  readonly #fits: ((bytes: number) => boolean) | undefined
  // The unfinished line. Bytes are copied into a growing buffer, so that many tiny chunks cost no more than one big one.
  #buffer = nothing
  #held = 0
  #skipped: SkippedLine | undefined
  #stopped = false
  #paused = false
  /** Input that waits for the end of a pause, in order: complete lines, or bytes. */
  #later: (string | Uint8Array)[] = []

  constructor(sink: Pick<Receiver, 'receive' | 'refuse'>, options: LineDecoderOptions = {}) {
    this.#sink = sink
    this.#maxLineBytes = options.maxLineBytes ?? maxClientMessageBytes
    this.#maxDepth = options.maxDepth ?? defaultMaxDepth
    this.#decode = options.decode ?? decodeWithTextDecoder()
    this.#fits = options.fits
  }

  /** Takes the next bytes; the caller may reuse them afterwards. */
  push(chunk: Uint8Array): void {
    if (this.#stopped) return
    if (this.#paused || this.#later.length > 0) {
      this.#later.push(chunk.slice())
      return
    }
    let from = 0
    if (this.#held > 0 || this.#skipped) {
      const end = chunk.indexOf(newline)
      this.#hold(chunk, 0, end < 0 ? chunk.length : end)
      if (end < 0) return
      this.#finishLine()
      from = end + 1
    }
    const last = chunk.lastIndexOf(newline)
    if (last >= from) {
      from = this.#takeLines(chunk, from, last + 1)
      if (from <= last) {
        this.#later.push(chunk.slice(from))
        return
      }
    }
    if (from < chunk.length) this.#hold(chunk, from, chunk.length)
  }

  /** Delivers nothing more until it is resumed, not even lines that have already arrived. */
  pause(): void {
    this.#paused = true
  }

  /** Continues with the next line. False if its receiver pauses again. */
  resume(): boolean {
    this.#paused = false
    while (this.#later.length > 0 && !this.#paused) {
      const [next, ...rest] = this.#later
      this.#later = []
      if (typeof next === 'string') this.#takeText(next)
      else this.push(next!)
      // The rest of it comes before the others.
      if (!this.#stopped) this.#later.push(...rest)
    }
    return !this.#paused
  }

  get isPaused(): boolean {
    return this.#paused
  }

  /** No more bytes will come: the buffered ones are the last line. */
  end(): void {
    if (this.#held > 0 || this.#skipped) this.#finishLine()
    this.stop()
  }

  /** Delivers nothing more, not even lines that have already arrived. */
  stop(): void {
    this.#stopped = true
    this.#releaseBuffer()
    this.#buffer = nothing
    this.#skipped = undefined
    this.#later = []
  }

  /** Returns the end of the processed bytes: not `to` if it was paused. */
  #takeLines(chunk: Uint8Array, from: number, to: number): number {
    if (to - from > this.#maxLineBytes) return this.#takeOneByOne(chunk, from, to)
    this.#takeText(this.#decode(chunk, from, to))
    return to
  }

  // One decoding for many lines: the crossing into native code costs more than the bytes do.
  #takeText(text: string): void {
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      if (this.#paused) {
        this.#later.push(text.slice(start))
        return
      }
      if (end > start) this.#take(text.slice(start, end))
      if (this.#stopped) return
      start = end + 1
    }
  }

  #takeOneByOne(chunk: Uint8Array, from: number, to: number): number {
    let start = from
    while (start < to && !this.#stopped && !this.#paused) {
      const end = chunk.indexOf(newline, start)
      this.#hold(chunk, start, end)
      this.#finishLine()
      start = end + 1
    }
    return this.#stopped ? to : start
  }

  #hold(chunk: Uint8Array, from: number, to: number): void {
    if (this.#stopped) return
    const bytes = chunk.subarray(from, to)
    const length = this.#held + bytes.length
    if (this.#skipped) this.#skipped.add(bytes)
    else if (length > this.#maxLineBytes) this.#startSkipping(bytes)
    else if (length > this.#buffer.length && !this.#grow(length)) this.#startSkipping(bytes, noMemory)
    else {
      this.#buffer.set(bytes, this.#held)
      this.#held = length
    }
  }

  #startSkipping(bytes: Uint8Array, why?: Problem): void {
    this.#skipped = new SkippedLine(why)
    this.#skipped.add(this.#buffer.subarray(0, this.#held))
    this.#skipped.add(bytes)
    this.#releaseBuffer()
  }

  /** False if there is no memory for more. */
  #grow(length: number): boolean {
    const size = Math.max(4096, length, Math.min(this.#buffer.length * 2, this.#maxLineBytes))
    if (size > keptBytes && this.#fits?.(size) === false) return false
    const larger = new Uint8Array(size)
    larger.set(this.#buffer.subarray(0, this.#held))
    this.#buffer = larger
    return true
  }

  #releaseBuffer(): void {
    this.#held = 0
    if (this.#buffer.length <= keptBytes) return
    this.#buffer = nothing
    this.#fits?.(0)
  }

  #finishLine(): void {
    if (this.#skipped) {
      const { head, tail, why, bytes } = this.#skipped
      this.#skipped = undefined
      const start = this.#decode(head, 0, head.length)
      const glimpse = peek(start, this.#decode(tail, 0, tail.length))
      this.#refuse(why ?? this.#tooLong(glimpse), glimpse, { bytes, start })
    } else if (this.#held > 0) {
      const line = this.#decode(this.#buffer, 0, this.#held)
      this.#releaseBuffer()
      this.#take(line)
    }
  }

  #take(line: string): void {
    if (exceedsDepth(line, this.#maxDepth)) {
      const glimpse = peek(line, line.slice(-glimpseBytes))
      const message = `Message nests deeper than the limit of ${this.#maxDepth} levels`
      this.#refuse({ code: ErrorCode.InvalidRequest, message }, glimpse, refusedText(line))
      return
    }
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.#takeMalformed(line)
      return
    }
    this.#sink.receive(value, undefined, undefined, line)
  }

  #takeMalformed(line: string): void {
    const text = line.trim()
    if (text === '') return
    if (line.charCodeAt(0) === byteOrderMark && isJson(text)) {
      this.#sink.receive(JSON.parse(text), undefined, undefined, text)
      return
    }
    const start = JSON.stringify(text.slice(0, 60))
    const why = { code: ErrorCode.ParseError, message: `Parse error: not JSON: ${start}` }
    // An answer that stops in the middle may follow as a whole, on a line of its own.
    this.#refuse(why, text.endsWith('}') ? peekAnswer(text) : {}, refusedText(line))
  }

  /** The sender of a request learns the limit; the caller who waits for a response can raise it. */
  #tooLong({ kind }: Glimpse): Problem {
    const exceeded = `Message exceeds the limit of ${this.#maxLineBytes} bytes`
    const advice = kind === 'response' ? ' on this side; raise it with maxLineBytes' : ' (maxLineBytes)'
    return { code: ErrorCode.InvalidRequest, message: exceeded + advice, tooLarge: true }
  }

  #refuse(why: Problem, glimpse: Glimpse, input: RefusedInput): void {
    const refusal: LineRefusal = { ...why, ...glimpse }
    this.#sink.refuse(refusal, input)
  }
}

type Problem = Pick<Refusal, 'code' | 'message' | 'tooLarge'>

const noMemory: Problem = {
  code: ErrorCode.InternalError,
  message: 'The server has no memory left for messages of this length: try again later',
}

/** The first and the last bytes of a line that is too long to keep. */
class SkippedLine {
  readonly why: Problem | undefined
  bytes = 0
  head: Uint8Array = nothing
  tail: Uint8Array = nothing

  constructor(why?: Problem) {
    this.why = why
  }

  add(bytes: Uint8Array): void {
    this.bytes += bytes.length
    if (this.head.length < glimpseBytes) this.head = join(this.head, bytes.subarray(0, glimpseBytes - this.head.length))
    const last = bytes.subarray(-glimpseBytes)
    this.tail = join(this.tail.subarray(Math.max(0, this.tail.length + last.length - glimpseBytes)), last)
  }
}

function join(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length)
  joined.set(left)
  joined.set(right, left.length)
  return joined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function decodeWithTextDecoder(): (bytes: Uint8Array, start: number, end: number) => string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return (bytes, start, end) => decoder.decode(bytes.subarray(start, end))
}
