import type { Budget, Hold } from '../../budget.ts'
import { type RequestTarget, targetOfUrl } from '../../http/request-target.ts'
import { Deadline, tickIn, unwatch, watch } from '../../jsonrpc/wheel.ts'
import type { Text } from '../../transport/kept-text.ts'
import { type Gate, gate } from '../../transport/wait.ts'
import {
  type BodyLimits,
  type HttpReply,
  largeBodyBytes,
  type ReplyHeaders,
  type ReplyStream,
  type RequestBody,
  type UncheckedRequest,
} from '../request.ts'

/** A request of the Fetch standard. */
export class FetchRequest implements UncheckedRequest {
  readonly raw: Request
  readonly target: RequestTarget | undefined
  // To ask a runtime for a header takes a microsecond, and these two are looked at more than once.
  #accept: string | undefined
  #length: string | undefined

  constructor(raw: Request) {
    this.raw = raw
    this.target = targetOfUrl(raw.url)
  }

  get method(): string {
    return this.raw.method
  }

  header(name: string): string | undefined {
    switch (name) {
      case 'accept':
        this.#accept ??= this.#read(name)
        return this.#accept
      case 'content-length':
        this.#length ??= this.#read(name)
        return this.#length
      case 'host':
        // Runtimes may hide `Host`; then the URL was made from it.
        return this.#read(name) ?? new URL(this.raw.url).host
      default:
        return this.#read(name)
    }
  }

  #read(name: string): string | undefined {
    return this.raw.headers.get(name) ?? undefined
  }

  readBody(limits: BodyLimits): Promise<RequestBody> {
    const { raw } = this
    // Before the others: to look at the body already makes a stream of it.
    if (this.#saysLength) return this.#readWhole(limits)
    if (raw.body === null) return Promise.resolve({ text: '' })
    if (raw.bodyUsed) return Promise.resolve({ status: 408 })
    return new StreamedBody(raw.body.getReader(), limits).read()
  }

  /** Runtimes collect the body by themselves, so all that is announced is counted from the beginning. */
  #readWhole(limits: BodyLimits): Promise<RequestBody> {
    const bytes = Number(this.header('content-length'))
    const hold = bytes > largeBodyBytes ? limits.budget.take('bodies', bytes) : undefined
    if (bytes > largeBodyBytes && hold === undefined) return Promise.resolve({ status: 503 })
    return readWhole(this.raw, limits, hold)
  }

  /** Then no more than that comes, and it was compared with the limit already. */
  get #saysLength(): boolean {
    return this.header('content-length') !== undefined && this.header('transfer-encoding') === undefined
  }
}

/** Reads a body whose length is known to be within bounds: runtimes do that several times faster than with streams. */
function readWhole(raw: Request, limits: BodyLimits, hold: Hold | undefined): Promise<RequestBody> {
  return new Promise((resolve) => {
    new WholeBody(raw, limits, hold, resolve)
  })
}

class WholeBody extends Deadline {
  readonly #resolve: (body: RequestBody) => void
  readonly #hold: Hold | undefined

  constructor(
    raw: Request,
    { maxBodyBytes, bodyTimeoutMs }: BodyLimits,
    hold: Hold | undefined,
    resolve: (body: RequestBody) => void,
  ) {
    super()
    this.#resolve = resolve
    this.#hold = hold
    this.expiresAt = tickIn(bodyTimeoutMs)
    watch(this)
    raw.text().then(
      // Characters never outnumber the bytes that they came in.
      (text) => this.#settle(text.length > maxBodyBytes ? { status: 413 } : { text, hold }),
      () => this.#settle({ status: 408 }),
    )
  }

  expire(): void {
    this.#settle({ status: 408 })
  }

  #settle(body: RequestBody): void {
    unwatch(this)
    if (!('text' in body)) this.#hold?.release()
    this.#resolve(body)
  }
}

/** Collects a body, within bounds of size, time and memory. */
class StreamedBody extends Deadline {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #limits: BodyLimits
  readonly #hold: Hold
  #late = false

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, limits: BodyLimits) {
    super()
    this.#reader = reader
    this.#limits = limits
    this.#hold = limits.budget.charge('bodies', 0)
  }

  async read(): Promise<RequestBody> {
    this.expiresAt = tickIn(this.#limits.bodyTimeoutMs)
    watch(this)
    const body = await this.#collect().catch((): RequestBody => ({ status: 408 }))
    unwatch(this)
    if (!('text' in body)) this.#hold.release()
    return body
  }

  expire(): void {
    this.#late = true
    this.#cancel()
  }

  async #collect(): Promise<RequestBody> {
    const decoder = new TextDecoder()
    let text = ''
    let bytes = 0
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (this.#late) return { status: 408 }
      if (done) return { text: text + decoder.decode(), hold: this.#hold }
      bytes += value.byteLength
      if (bytes > this.#limits.maxBodyBytes) return this.#refuse(413)
      if (!this.#hold.resize(bytes)) return this.#refuse(503)
      text += decoder.decode(value, { stream: true })
    }
  }

  #refuse(status: 413 | 503): RequestBody {
    this.#cancel()
    return { status }
  }

  #cancel(): void {
    this.#reader.cancel().catch(() => {})
  }
}

/** An answer of the Fetch standard. */
export class FetchReply implements HttpReply {
  readonly response: Promise<Response>
  readonly #maxBufferedBytes: number
  readonly #budget: Budget
  readonly #request: Request
  #resolve!: (response: Response) => void
  #answered = false
  #complete = false
  #left = false
  #onGone: (() => void)[] | undefined
  #leave: (() => void) | undefined

  constructor(request: Request, maxBufferedBytes: number, budget: Budget) {
    this.#maxBufferedBytes = maxBufferedBytes
    this.#budget = budget
    this.#request = request
    this.response = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get crowded(): boolean {
    return this.#budget.isFull('unsent')
  }

  send(status: number, headers: ReplyHeaders, body?: Text): void {
    this.#done()
    const content = typeof body === 'object' ? body.toBytes() : (body ?? null)
    this.#answer(new Response(content, { status, headers: withoutHops(headers) }))
  }

  stream(headers: ReplyHeaders): ReplyStream {
    const stream = new FetchStream(this.#maxBufferedBytes, this.#budget, {
      ended: () => this.#done(),
      gone: () => this.#gone(),
    })
    this.#answer(new Response(stream.readable, { status: 200, headers: withoutHops(headers) }))
    return stream
  }

  onGone(listener: () => void): void {
    if (this.#left) listener()
    if (this.#complete) return
    // Runtimes make the signal when it is first asked for, and most requests never need it.
    if (this.#onGone !== undefined) {
      this.#onGone.push(listener)
      return
    }
    this.#onGone = [listener]
    const { signal } = this.#request
    this.#leave = () => this.#gone()
    if (signal.aborted) this.#leave()
    else signal.addEventListener('abort', this.#leave)
  }

  #gone(): void {
    if (this.#complete) return
    const listeners = this.#onGone ?? []
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
    this.#onGone = undefined
    if (this.#leave === undefined) return
    this.#request.signal.removeEventListener('abort', this.#leave)
    this.#leave = undefined
  }
}

/** The connection is the runtime's business. */
function withoutHops(headers: ReplyHeaders): ReplyHeaders {
  if (headers.connection === undefined) return headers
  const { connection: _, ...others } = headers
  return others
}

class FetchStream implements ReplyStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly #encoder = new TextEncoder()
  readonly #maxBufferedBytes: number
  readonly #budget: Budget
  #hold: Hold | undefined
  readonly #told: { ended(): void; gone(): void }
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #room: Gate | undefined
  #closed = false

  constructor(maxBufferedBytes: number, budget: Budget, told: { ended(): void; gone(): void }) {
    this.#maxBufferedBytes = maxBufferedBytes
    this.#budget = budget
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
    this.#hold ??= this.#budget.charge('unsent', 0)
    // Somebody who does not read must not fill the memory; what was sent waits in the log.
    if (-room > this.#maxBufferedBytes || !this.#hold.resize(-room)) {
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
    this.#hold?.release()
    this.#hold = undefined
    this.#room?.open()
    this.#room = undefined
  }
}
