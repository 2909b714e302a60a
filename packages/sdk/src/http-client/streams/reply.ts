import { McpError } from '../../errors.ts'
import { type SseEvent, SseParser } from '../../http/sse-parser.ts'
import type { RefusedInput } from '../../jsonrpc/channel.ts'
import { exceedsDepth } from '../../jsonrpc/limits.ts'
import { refusedText } from '../../transport/refused-text.ts'
import type { ReplyHead, ReplyReader } from '../engines/engine.ts'
import { excerpt, HttpError } from '../http-error.ts'

/** The end of a reply. */
export type ReplyOutcome =
  /** All of it was delivered; `empty` if it had no body. */
  | { kind: 'read'; head: ReplyHead; streamed: boolean; empty: boolean }
  | { kind: 'redirect'; head: ReplyHead; location: string }
  /** The status is no success. */
  | { kind: 'refused'; head: ReplyHead; body: string }
  /** It is no answer, or it ended early. */
  | { kind: 'broken'; error: Error; streamed: boolean; input?: RefusedInput }

/** Receives the content of a reply. `finished` is called once, last. */
export interface ReplySink {
  /** The status and the headers of a reply that is not refused. */
  accepted?(head: ReplyHead, streamed: boolean): void
  /** A JSON value: the body, or the data of an event, and its text. */
  value(value: unknown, text?: string): void
  /** Every event, before its value. Returns true if its data is no message. */
  event?(event: SseEvent): boolean
  /** Data that is not JSON, or nests too deep. */
  unreadable(problem: Error, input?: RefusedInput): void
  finished(outcome: ReplyOutcome): void
  /** Nothing was sent yet: credentials are being obtained. Called repeatedly meanwhile. */
  preparing?(): void
}

interface ReplyLimits {
  maxMessageBytes: number
  maxDepth: number
}

// Without `stream` a decoder keeps no state between calls, so one serves all.
const wholeText = new TextDecoder()
const maxErrorBytes = 64 * 1024
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Reads one reply, whether JSON or a stream of events, within bounds. */
export class Reply implements ReplyReader {
  readonly #sink: ReplySink
  readonly #limits: ReplyLimits
  /** Ends the request. Set once it was sent. */
  abort: () => void = () => {}
  #head: ReplyHead | undefined
  #kind: 'json' | 'events' | 'refusal' | 'foreign' | 'nothing' = 'nothing'
  #events: SseParser | undefined
  #body: Uint8Array[] = []
  #size = 0
  #over = false

  constructor(sink: ReplySink, limits: ReplyLimits) {
    this.#sink = sink
    this.#limits = limits
  }

  head(head: ReplyHead): void {
    this.#head = head
    const { status } = head
    const type = mediaType(head)
    if (redirects.has(status)) this.#redirect(head)
    else if (status < 200 || status > 299) this.#kind = 'refusal'
    else if (isCompressed(head))
      this.#give(new HttpError('http', 'The reply is compressed, which was not asked for', head))
    else if (type === 'text/event-stream') {
      this.#kind = 'events'
      this.#events = new SseParser((event) => this.#event(event), { maxEventSize: this.#limits.maxMessageBytes })
      this.#sink.accepted?.(head, true)
    } else {
      this.#kind = isJson(type) ? 'json' : 'foreign'
      this.#sink.accepted?.(head, false)
    }
  }

  chunk(bytes: Uint8Array): void {
    if (this.#over) return
    if (this.#events !== undefined) this.#pushEvents(bytes)
    else this.#keep(bytes)
  }

  end(): void {
    if (this.#over) return
    const head = this.#head!
    if (this.#kind === 'events') this.#finish({ kind: 'read', head, streamed: true, empty: false })
    else if (this.#kind === 'refusal') this.#finish({ kind: 'refused', head, body: this.#text() })
    else if (this.#size === 0) this.#finish({ kind: 'read', head, streamed: false, empty: true })
    else if (this.#kind === 'json') this.#endJson(head)
    else this.#give(foreign(head, this.#text()))
  }

  broken(error: Error): void {
    const refusal = this.#kind === 'refusal' && this.#head !== undefined
    // The received part of a refusal is worth more than the fact that it was cut off.
    if (refusal) this.#finish({ kind: 'refused', head: this.#head!, body: this.#text() })
    else this.#finish({ kind: 'broken', error, streamed: this.#kind === 'events' })
  }

  /** Delivers nothing more; `finished` is not called. */
  drop(): void {
    this.#over = true
    this.abort()
  }

  #pushEvents(bytes: Uint8Array): void {
    try {
      this.#events!.push(bytes)
    } catch (error) {
      this.#give(error as Error)
    }
  }

  #event(event: SseEvent): void {
    if (this.#over || this.#sink.event?.(event) === true) return
    // An event without data only carries an id or a pause.
    if (event.data !== '' && event.event === 'message') this.#parse(event.data)
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length
    const json = this.#kind === 'json'
    const limit = json ? this.#limits.maxMessageBytes : maxErrorBytes
    if (this.#size <= limit) {
      this.#body.push(bytes)
      return
    }
    if (json) {
      const advice = 'on this side; raise it with httpLimits.maxMessageBytes'
      const error = new McpError('too_large', `The reply is larger than the limit of ${limit} bytes ${advice}`)
      this.#give(error, { bytes: this.#size, start: refusedText(wholeText.decode(this.#body[0] ?? bytes)).start })
    } else {
      this.end()
      this.abort()
    }
  }

  #text(): string {
    if (this.#body.length === 1) return wholeText.decode(this.#body[0])
    const decoder = new TextDecoder()
    return this.#body.map((bytes) => decoder.decode(bytes, { stream: true })).join('') + decoder.decode()
  }

  #endJson(head: ReplyHead): void {
    this.#parse(this.#text())
    this.#finish({ kind: 'read', head, streamed: false, empty: false })
  }

  #parse(text: string): void {
    let value: unknown
    try {
      value = parseJson(text, this.#limits.maxDepth)
    } catch (error) {
      this.#sink.unreadable(error as Error, refusedText(text))
      return
    }
    this.#sink.value(value, text)
  }

  #redirect(head: ReplyHead): void {
    const location = head.header('location')
    if (location === undefined) this.#kind = 'refusal'
    else {
      this.#finish({ kind: 'redirect', head, location })
      this.abort()
    }
  }

  /** The reply is useless. */
  #give(error: Error, input?: RefusedInput): void {
    this.#finish({ kind: 'broken', error, streamed: false, ...(input && { input }) })
    this.abort()
  }

  #finish(outcome: ReplyOutcome): void {
    if (this.#over) return
    this.#over = true
    this.#body = []
    this.#sink.finished(outcome)
  }
}

/** Parses JSON that does not nest too deep; throws an `McpError` `invalid_result`. */
function parseJson(text: string, maxDepth: number): unknown {
  if (exceedsDepth(text, maxDepth)) {
    throw new McpError('invalid_result', `The message nests deeper than the limit of ${maxDepth} levels`)
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new McpError('invalid_result', `The message is not JSON: ${excerpt(text, undefined)}`, { cause })
  }
}

/** The JSON value of a body, or undefined if it is none. */
export function jsonOrNothing(body: string, maxDepth: number): unknown {
  try {
    return parseJson(body, maxDepth)
  } catch {
    return undefined
  }
}

const mediaType = (head: ReplyHead): string =>
  (head.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()

// Some servers send no content type with an answer.
const isJson = (type: string): boolean => type === '' || type === 'application/json' || type.endsWith('+json')

// With `fetch` the header may still be there when the body is decoded already.
const isCompressed = (head: ReplyHead): boolean => head.decoded !== true && hasEncoding(head)

const hasEncoding = (head: ReplyHead): boolean => !['', 'identity'].includes(head.header('content-encoding') ?? '')

function foreign(head: ReplyHead, body: string): HttpError {
  const type = head.header('content-type')
  const text = excerpt(body, type)
  return new HttpError('http', `Expected JSON or a stream of events, got ${type}: ${text}`, head, text)
}
