import { type SseEvent, SseParser } from '../../http/sse-parser.ts'
import { epochMs } from '../../transport/epoch-ms.ts'
import { type HttpEvent, type HttpStreamEvent, showReplyHeaders, showRequestHeaders, showUrl } from '../http-events.ts'
import type { HeaderRecord } from '../http-options.ts'
import type { Engine, OutgoingHttpRequest, ReplyHead, ReplyReader, Sent } from './engine.ts'

/** An engine that reports every request. */
export function watchedEngine(
  engine: Engine,
  onHttp: (event: HttpEvent) => void,
  warn: (message: string) => void,
): Engine {
  const tell = (event: HttpEvent): void => {
    try {
      onHttp(event)
    } catch (error) {
      warn(`onHttp failed: ${String(error)}`)
    }
  }
  return {
    send(request, reader) {
      const exchange = new WatchedExchange(request, reader, tell)
      exchange.sent = engine.send(request, exchange)
      return exchange
    },
    close: () => engine.close(),
  }
}

const maxCommentLength = 200

const aboutEvent = ({ event, id, retry, data }: SseEvent): HttpStreamEvent => ({
  ...(id !== undefined && { id }),
  ...(event !== 'message' && { name: event }),
  ...(retry !== undefined && { retry }),
  characters: data.length,
})

let exchanges = 0

/** Reports the steps of one request and its reply. */
class WatchedExchange implements ReplyReader, Sent {
  sent: Sent | undefined
  readonly #reader: ReplyReader
  readonly #tell: (event: HttpEvent) => void
  readonly #about: Pick<HttpEvent, 'id' | 'method' | 'url'>
  #headers: HeaderRecord = {}
  #status: number | undefined
  #bytes = 0
  #over = false
  #events: SseParser | undefined

  constructor(request: OutgoingHttpRequest, reader: ReplyReader, tell: (event: HttpEvent) => void) {
    this.#reader = reader
    this.#tell = tell
    exchanges += 1
    const { method, url, headers, body } = request
    this.#about = { id: exchanges, method, url: showUrl(url) }
    const bytes = body === undefined ? undefined : new TextEncoder().encode(body).length
    tell({
      ...this.#about,
      phase: 'request',
      headers: showRequestHeaders(headers),
      ...(bytes !== undefined && { bytes }),
      at: epochMs(),
    })
  }

  head(head: ReplyHead): void {
    this.#status = head.status
    this.#headers = showReplyHeaders(head.fields ?? {})
    this.#step('reply')
    if (/^text\/event-stream\b/i.test(head.header('content-type') ?? '')) this.#events = this.#eventParser()
    this.#reader.head(head)
  }

  chunk(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    this.#look(bytes)
    this.#reader.chunk(bytes)
  }

  end(): void {
    this.#finish('end')
    this.#reader.end()
  }

  broken(error: Error): void {
    this.#finish('failed', { error })
    this.#reader.broken(error)
  }

  abort(): void {
    this.#finish('end', { aborted: true })
    this.sent?.abort()
  }

  #eventParser(): SseParser {
    const tell = (event: HttpStreamEvent): void => this.#step('event', { event, headers: {} })
    return new SseParser((event) => tell(aboutEvent(event)), {
      maxEventSize: Number.POSITIVE_INFINITY,
      onComment: (text) => tell({ comment: text.trim().slice(0, maxCommentLength) }),
    })
  }

  #look(bytes: Uint8Array): void {
    if (!this.#over) this.#events?.push(bytes)
  }

  #finish(phase: 'end' | 'failed', more: Pick<HttpEvent, 'error' | 'aborted'> = {}): void {
    if (this.#over) return
    this.#over = true
    this.#step(phase, { ...more, bytes: this.#bytes })
  }

  #step(phase: HttpEvent['phase'], more: Partial<HttpEvent> = {}): void {
    const status = this.#status === undefined ? {} : { status: this.#status }
    this.#tell({ ...this.#about, phase, headers: this.#headers, ...status, ...more, at: epochMs() })
  }
}
