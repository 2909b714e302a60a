import { type BodyLimits, largeBodyBytes, type RequestBody, type UncheckedRequest } from '../../http/request.ts'
import { type RequestTarget, targetOfUrl } from '../../http/request-target.ts'
import type { Hold } from '../../internal/budget.ts'
import { Deadline, removeDeadline, tickIn, watch } from '../../jsonrpc/timer-wheel.ts'

/** A request of the Fetch standard. */
export class FetchRequest implements UncheckedRequest {
  readonly raw: Request
  target: RequestTarget | undefined
  // Reading a header takes runtimes a microsecond, and these two are read more than once.
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
    removeDeadline(this)
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
    removeDeadline(this)
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
