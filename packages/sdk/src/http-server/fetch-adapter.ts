import type { Text } from '../transport/kept-text.ts'
import { type Gate, gate } from '../transport/wait.ts'
import { openBodies } from './open-bodies.ts'
import type { Beating } from './pulse.ts'
import type { Body, HttpReply, HttpRequest, ReplyHeaders, ReplyStream } from './request.ts'

/** A request of the Fetch standard. */
export class FetchRequest implements HttpRequest {
  readonly raw: Request
  readonly target: string

  constructor(raw: Request) {
    this.raw = raw
    const { pathname, search } = new URL(raw.url)
    this.target = pathname + search
  }

  get method(): string {
    return this.raw.method
  }

  header(name: string): string | undefined {
    // Runtimes may hide `Host`; then the URL was made from it.
    return this.raw.headers.get(name) ?? (name === 'host' ? new URL(this.raw.url).host : undefined)
  }

  readBody(maxBytes: number, timeoutMs: number, take: (body: Body) => void): void {
    if (this.raw.body === null) take({ text: '' })
    else if (this.raw.bodyUsed) take({ status: 408 })
    else void new FetchBody(this.raw.body.getReader(), maxBytes).read(timeoutMs).then(take)
  }
}

/** Collects a body, within bounds of size and time. */
class FetchBody implements Beating {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #maxBytes: number
  #dueAt = 0
  #late = false

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number) {
    this.#reader = reader
    this.#maxBytes = maxBytes
  }

  async read(timeoutMs: number): Promise<Body> {
    this.#dueAt = performance.now() + timeoutMs
    openBodies.add(this)
    try {
      return await this.#collect()
    } catch {
      return { status: 408 }
    } finally {
      openBodies.delete(this)
    }
  }

  beat(): void {
    if (performance.now() < this.#dueAt) return
    this.#late = true
    this.#cancel()
  }

  async #collect(): Promise<Body> {
    const decoder = new TextDecoder()
    let text = ''
    let bytes = 0
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (this.#late) return { status: 408 }
      if (done) return { text: text + decoder.decode() }
      bytes += value.byteLength
      if (bytes > this.#maxBytes) {
        this.#cancel()
        return { status: 413 }
      }
      text += decoder.decode(value, { stream: true })
    }
  }

  #cancel(): void {
    this.#reader.cancel().catch(() => {})
  }
}

/** An answer of the Fetch standard. */
export class FetchReply implements HttpReply {
  readonly response: Promise<Response>
  readonly #maxBufferedBytes: number
  readonly #signal: AbortSignal
  #resolve!: (response: Response) => void
  #answered = false
  #complete = false
  #left = false
  #onGone: (() => void)[] = []

  constructor(signal: AbortSignal, maxBufferedBytes: number) {
    this.#maxBufferedBytes = maxBufferedBytes
    this.#signal = signal
    this.response = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  send(status: number, headers: ReplyHeaders, body?: Text): void {
    this.#done()
    const content = typeof body === 'object' ? body.toBytes() : (body ?? null)
    this.#answer(new Response(content, { status, headers: withoutHops(headers) }))
  }

  stream(headers: ReplyHeaders): ReplyStream {
    const stream = new FetchStream(this.#maxBufferedBytes, {
      ended: () => this.#done(),
      gone: () => this.#gone(),
    })
    this.#answer(new Response(stream.readable, { status: 200, headers: withoutHops(headers) }))
    return stream
  }

  onGone(listener: () => void): void {
    if (this.#complete) return
    if (this.#onGone.length === 0) this.#signal.addEventListener('abort', this.#gone)
    this.#onGone.push(listener)
  }

  readonly #gone = (): void => {
    if (this.#complete) return
    const listeners = this.#onGone
    this.#done()
    for (const listener of listeners) listener()
    // Nobody reads it, but whoever called the handler waits for something.
    if (!this.#answered) this.#answer(new Response(null, { status: 499 }))
    this.#left = true
  }

  #answer(response: Response): void {
    // Whoever is gone has been given up already.
    if (this.#left) return
    if (this.#answered) throw new Error('The request is answered already')
    this.#answered = true
    this.#resolve(response)
  }

  #done(): void {
    this.#complete = true
    this.#onGone = []
    this.#signal.removeEventListener('abort', this.#gone)
  }
}

/** The connection is the runtime's business. */
function withoutHops({ connection: _, ...headers }: ReplyHeaders): ReplyHeaders {
  return headers
}

class FetchStream implements ReplyStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly #encoder = new TextEncoder()
  readonly #maxBufferedBytes: number
  readonly #told: { ended(): void; gone(): void }
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #room: Gate | undefined
  #closed = false

  constructor(maxBufferedBytes: number, told: { ended(): void; gone(): void }) {
    this.#maxBufferedBytes = maxBufferedBytes
    this.#told = told
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#makeRoom(),
        cancel: () => this.#lose(),
      },
      { highWaterMark: 16 * 1024, size: (chunk) => chunk.byteLength },
    )
  }

  write(text: Text): void | Promise<void> {
    if (this.#closed) return
    this.#controller.enqueue(typeof text === 'string' ? this.#encoder.encode(text) : text.toBytes())
    const room = this.#controller.desiredSize ?? 0
    if (room > 0) return
    // Somebody who does not read must not fill the memory; what was sent waits in the log.
    if (-room > this.#maxBufferedBytes) {
      this.#controller.error(new Error('The client does not read'))
      this.#lose()
      return
    }
    this.#room ??= gate()
    return this.#room.passed
  }

  end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#controller.close()
    this.#makeRoom()
    this.#told.ended()
  }

  #lose(): void {
    if (this.#closed) return
    this.#closed = true
    this.#makeRoom()
    this.#told.gone()
  }

  #makeRoom(): void {
    this.#room?.open()
    this.#room = undefined
  }
}
