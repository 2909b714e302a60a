import type { IncomingMessage } from 'node:http'
import { isLoopbackAddress } from '../../http/hosts.ts'
import { type BodyLimits, largeBodyBytes, type RequestBody, type UncheckedRequest } from '../../http/request.ts'
import { repeatsHost, targetOf } from '../../http/request-head.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import type { Hold } from '../../internal/budget.ts'
import { Deadline, removeDeadline, tickIn, watch } from '../../jsonrpc/timer-wheel.ts'

/** A request of Node. */
export class NodeRequest implements UncheckedRequest {
  readonly raw: IncomingMessage
  target: RequestTarget | undefined
  readonly #parsed: unknown
  readonly #headers: IncomingMessage['headers']

  /** `parsed` is the body, where a framework has read it already. */
  constructor(raw: IncomingMessage, parsed: unknown) {
    this.raw = raw
    this.#parsed = parsed
    this.#headers = raw.headers
    this.target = targetOf(raw)
  }

  get method(): string {
    return this.raw.method ?? 'GET'
  }

  get onLoopback(): boolean {
    return isLoopbackAddress(this.raw.socket.localAddress)
  }

  header(name: string): string | undefined {
    return this.#headers[name] as string | undefined
  }

  get ambiguous(): boolean {
    return repeatsHost(this.raw)
  }

  readBody(limits: BodyLimits): Promise<RequestBody> {
    if (this.#parsed !== undefined) return Promise.resolve({ value: this.#parsed })
    return new Promise((resolve) => {
      new BodyReader(this.raw, limits, resolve)
    })
  }
}

/** The memory of a request whose body is not complete, besides the body. */
const unfinishedBytes = 4 * 1024

const nobodyWaits = (): void => {}

/** Collects a body, within bounds of size, time and memory. */
class BodyReader extends Deadline {
  readonly #request: IncomingMessage
  readonly #limits: BodyLimits
  #resolve: (body: RequestBody) => void
  #first: Buffer | undefined
  #more: Buffer[] | undefined
  #bytes = 0
  #hold: Hold | undefined
  #settled = false

  constructor(request: IncomingMessage, limits: BodyLimits, resolve: (body: RequestBody) => void) {
    super()
    this.#request = request
    this.#limits = limits
    this.#resolve = resolve
    this.expiresAt = tickIn(limits.bodyTimeoutMs)
    watch(this)
    // `close` before `end`: the client left in the middle of the body. Node emits `error` only if there is a listener.
    request.on('data', this.#data).on('end', this.#end).on('close', this.#cut)
  }

  expire(): void {
    this.#refuse(408)
  }

  readonly #data = (chunk: Buffer): void => {
    this.#bytes += chunk.length
    if (this.#settled) return
    if (this.#bytes > this.#limits.maxBodyBytes) this.#refuse(413)
    else if (!this.#fits()) this.#refuse(503)
    else if (this.#first === undefined) this.#first = chunk
    else {
      this.#more ??= [this.#first]
      this.#more.push(chunk)
    }
  }

  /** Most bodies come in one piece and are gone at the end of the turn: only those that wait for more are counted. */
  #fits(): boolean {
    if (this.#hold !== undefined) return this.#hold.resize(unfinishedBytes + this.#bytes)
    if (this.#bytes <= largeBodyBytes && this.#bytes === Number(this.#request.headers['content-length'])) return true
    this.#hold = this.#limits.budget.take('bodies', unfinishedBytes + this.#bytes)
    return this.#hold !== undefined
  }

  readonly #end = (): void => {
    const whole = this.#more === undefined ? this.#first : Buffer.concat(this.#more)
    this.#settle({ text: whole?.toString() ?? '', hold: this.#hold })
  }

  readonly #cut = (): void => this.#fail(408)

  /** A body that is too large or too late is not read any further. */
  #refuse(status: 408 | 413 | 503): void {
    this.#request.off('data', this.#data)
    this.#request.pause()
    this.#fail(status)
  }

  #fail(status: 408 | 413 | 503): void {
    if (!this.#settled) this.#hold?.release()
    this.#settle({ status })
  }

  #settle(body: RequestBody): void {
    if (this.#settled) return
    this.#settled = true
    removeDeadline(this)
    this.#first = undefined
    this.#more = undefined
    // The request outlives its body, and must not keep it through the promise.
    const resolve = this.#resolve
    this.#resolve = nobodyWaits
    resolve(body)
  }
}
