import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopbackAddress } from '../http/hosts.ts'
import { repeatsHost, targetOf } from '../http/request-head.ts'
import type { RequestTarget } from '../http/request-target.ts'
import { Deadline, tickIn, unwatch, watch } from '../jsonrpc/wheel.ts'
import type { Text } from '../transport/kept-text.ts'
import { type Gate, gate } from '../transport/wait.ts'
import { endTogether } from './end-together.ts'
import { byteLengthOf, writeKept } from './node-kept.ts'
import type { ArrivingRequest, Body, HttpReply, ReplyHeaders, ReplyStream } from './request.ts'

/** A request of Node. */
export class NodeRequest implements ArrivingRequest {
  readonly raw: IncomingMessage
  readonly target: RequestTarget | undefined
  readonly #parsed: unknown
  readonly #headers: IncomingMessage['headers']

  /** `parsed` is the body, where somebody else has read it already. */
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

  readBody(maxBytes: number, timeoutMs: number): Promise<Body> {
    if (this.#parsed !== undefined) return Promise.resolve({ value: this.#parsed })
    return new Promise((resolve) => {
      new BodyReader(this.raw, maxBytes, timeoutMs, resolve)
    })
  }
}

/** Collects a body, within bounds of size and time. */
class BodyReader extends Deadline {
  readonly #request: IncomingMessage
  readonly #maxBytes: number
  readonly #resolve: (body: Body) => void
  #first: Buffer | undefined
  #more: Buffer[] | undefined
  #bytes = 0
  #settled = false

  constructor(request: IncomingMessage, maxBytes: number, timeoutMs: number, resolve: (body: Body) => void) {
    super()
    this.#request = request
    this.#maxBytes = maxBytes
    this.#resolve = resolve
    this.expiresAt = tickIn(timeoutMs)
    watch(this)
    // Half a body is one that never comes; whoever sent it is gone. Without a listener Node tells no errors, just this.
    request.on('data', this.#data).on('end', this.#end).on('close', this.#cut)
  }

  expire(): void {
    this.#refuse(408)
  }

  readonly #data = (chunk: Buffer): void => {
    this.#bytes += chunk.length
    if (this.#settled) return
    if (this.#bytes > this.#maxBytes) this.#refuse(413)
    else if (this.#first === undefined) this.#first = chunk
    else {
      this.#more ??= [this.#first]
      this.#more.push(chunk)
    }
  }

  readonly #end = (): void => {
    const whole = this.#more === undefined ? this.#first : Buffer.concat(this.#more)
    this.#settle({ text: whole?.toString() ?? '' })
  }

  readonly #cut = (): void => this.#settle({ status: 408 })

  /** What is too much or too late is not read any further. */
  #refuse(status: 408 | 413): void {
    this.#request.off('data', this.#data)
    this.#request.pause()
    this.#settle({ status })
  }

  #settle(body: Body): void {
    if (this.#settled) return
    this.#settled = true
    unwatch(this)
    this.#first = undefined
    this.#more = undefined
    this.#resolve(body)
  }
}

/** An answer of Node. */
export class NodeReply implements HttpReply {
  readonly #response: ServerResponse
  readonly #maxBufferedBytes: number

  constructor(response: ServerResponse, maxBufferedBytes: number) {
    this.#response = response
    this.#maxBufferedBytes = maxBufferedBytes
  }

  send(status: number, headers: ReplyHeaders, body?: Text): void {
    const fields: string[] = []
    for (const name in headers) fields.push(name, headers[name]!)
    if (status !== 204) fields.push('content-length', String(body === undefined ? 0 : byteLengthOf(body)))
    // A flat list is what Node writes fastest.
    this.#response.writeHead(status, fields)
    if (headers.connection === 'close' && !this.#response.req.complete) lingerOn(this.#response, String(body ?? ''))
    else endTogether(this.#response, body)
  }

  stream(headers: ReplyHeaders): ReplyStream {
    this.#response.writeHead(200, headers)
    const stream = new NodeStream(this.#response, this.#maxBufferedBytes)
    // The first event mostly follows at once, and can travel with the head.
    process.nextTick(begin, stream)
    return stream
  }

  onGone(listener: () => void): void {
    const response = this.#response
    const gone = (): void => {
      if (!response.writableFinished) listener()
    }
    if (response.destroyed) gone()
    else response.on('close', gone)
  }
}

const lingerMs = 1_000
const lingerBytes = 32 * 1024 * 1024

/**
 * A connection that is closed while data still comes in is reset, and the answer is lost with it. So the answer is sent,
 * and what comes is dropped for a while, until the client has read why it need not go on.
 */
function lingerOn(response: ServerResponse, body: string): void {
  const { req: request } = response
  let bytes = 0
  const drop = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > lingerBytes) close()
  }
  const close = (): void => {
    clearTimeout(timer)
    request.off('data', drop).off('end', close).off('close', close)
    response.end()
  }
  const timer = setTimeout(close, lingerMs)
  timer.unref()
  response.write(body)
  request.on('data', drop).on('end', close).on('close', close).resume()
}

const begin = (stream: NodeStream): void => stream.begin()

class NodeStream implements ReplyStream {
  readonly #response: ServerResponse
  readonly #maxBufferedBytes: number
  #begun = false
  #room: Gate | undefined

  constructor(response: ServerResponse, maxBufferedBytes: number) {
    this.#response = response
    this.#maxBufferedBytes = maxBufferedBytes
  }

  write(text: Text): void | Promise<void> {
    const response = this.#response
    if (response.writableEnded || response.destroyed) return
    this.#begun = true
    if (typeof text === 'string' ? response.write(text) : writeKept(response, text)) return
    // Somebody who does not read must not fill the memory; what was sent waits in the log.
    if (response.writableLength > this.#maxBufferedBytes) {
      response.destroy()
      return
    }
    this.#room ??= this.#waitForRoom()
    return this.#room.passed
  }

  end(): void {
    this.#begun = true
    this.#response.end()
  }

  /** Whoever waits for events shall know that they will come. */
  begin(): void {
    if (!this.#begun && !this.#response.destroyed) this.#response.flushHeaders()
  }

  #waitForRoom(): Gate {
    const room = gate()
    const open = (): void => {
      this.#room = undefined
      this.#response.off('drain', open).off('close', open)
      room.open()
    }
    this.#response.on('drain', open).on('close', open)
    return room
  }
}
