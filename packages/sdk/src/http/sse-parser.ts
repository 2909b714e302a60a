import { McpError } from '../errors.ts'

/** One event of a `text/event-stream`. Unlike in a browser, one without data is an event too: it may carry an id. */
export interface SseEvent {
  /** `message` unless the stream says otherwise. */
  event: string
  data: string
  /** Set only if this event carries one. */
  id?: string
  /** How long to wait before connecting again, in milliseconds. */
  retry?: number
}

interface SseLimits {
  /** Characters of one event, or of one line that is not part of any. 4 Mi. */
  maxEventSize?: number
  /** Called for comments, which belong to no event: servers send them to keep a stream alive. */
  onComment?: (text: string) => void
}

// Without `stream` a decoder keeps no state between calls, so one serves all. The parser handles a byte order mark.
const wholeText = new TextDecoder('utf-8', { ignoreBOM: true })
const lineEnd = /\r\n|\n|\r/g

/** Reads a `text/event-stream` in pieces, cut anywhere. Throws if an event is too large. */
export class SseParser {
  readonly #onEvent: (event: SseEvent) => void
  readonly #maxSize: number
  readonly #onComment: ((text: string) => void) | undefined
  /** Created when a piece ends inside a character: most do not, and it costs more than reading a small stream. */
  #decoder: TextDecoder | undefined
  /** The current line: in parts, so that a long line in small pieces is not copied again and again. */
  #line: string[] = []
  /** Size of everything kept for the current event. */
  #size = 0
  /** The last piece ended with CR: a following LF belongs to it. */
  #endedWithCr = false
  #started = false
  #event = ''
  #data: string[] = []
  #id: string | undefined
  #retry: number | undefined
  #hasField = false

  constructor(onEvent: (event: SseEvent) => void, limits: SseLimits = {}) {
    this.#onEvent = onEvent
    this.#maxSize = limits.maxEventSize ?? 4 * 1024 * 1024
    this.#onComment = limits.onComment
  }

  /** Takes the next piece, as bytes or as decoded text. */
  push(chunk: Uint8Array | string): void {
    const text = this.#withoutBom(typeof chunk === 'string' ? chunk : this.#decode(chunk))
    if (text !== '') this.#read(text)
  }

  #decode(bytes: Uint8Array): string {
    if (this.#decoder === undefined) {
      // A piece that ends with an ASCII character is whole.
      if (bytes.length === 0 || bytes[bytes.length - 1]! < 0x80) return wholeText.decode(bytes)
      this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    }
    return this.#decoder.decode(bytes, { stream: true })
  }

  #withoutBom(text: string): string {
    if (this.#started || text === '') return text
    this.#started = true
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  }

  #read(text: string): void {
    let start = this.#endedWithCr && text.startsWith('\n') ? 1 : 0
    this.#endedWithCr = text.endsWith('\r')
    lineEnd.lastIndex = start
    for (let end = lineEnd.exec(text); end !== null; end = lineEnd.exec(text)) {
      const next = lineEnd.lastIndex
      this.#keep(text.slice(start, end.index))
      this.#endLine()
      // A listener may have fed another parser, which shares the expression.
      lineEnd.lastIndex = next
      start = next
    }
    if (start < text.length) this.#keep(text.slice(start))
  }

  #keep(part: string): void {
    this.#size += part.length
    if (this.#size > this.#maxSize) {
      const advice = 'on this side; raise it with httpLimits.maxMessageBytes'
      throw new McpError(
        'too_large',
        `An event of the stream is larger than the limit of ${this.#maxSize} characters ${advice}`,
      )
    }
    this.#line.push(part)
  }

  #endLine(): void {
    const line = this.#line.length === 1 ? this.#line[0]! : this.#line.join('')
    this.#line = []
    if (line === '') this.#dispatch()
    else if (line.startsWith(':')) this.#comment(line)
    else this.#field(line)
  }

  #comment(line: string): void {
    this.#size -= line.length
    this.#onComment?.(line.slice(1))
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#event = value
    else if (name === 'id') {
      if (!value.includes('\0')) this.#id = value
    } else if (name === 'retry') {
      if (/^\d{1,15}$/.test(value)) this.#retry = Number(value)
    } else return
    this.#hasField = true
  }

  #dispatch(): void {
    if (!this.#hasField) {
      this.#size = 0
      return
    }
    const event: SseEvent = { event: this.#event || 'message', data: this.#data.join('\n') }
    if (this.#id !== undefined) event.id = this.#id
    if (this.#retry !== undefined) event.retry = this.#retry
    this.#event = ''
    this.#data = []
    this.#id = undefined
    this.#retry = undefined
    this.#hasField = false
    this.#size = 0
    this.#onEvent(event)
  }
}
