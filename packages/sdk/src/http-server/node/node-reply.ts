import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hold } from '../../budget.ts'
import { isLoopbackAddress } from '../../http/hosts.ts'
import { repeatsHost, targetOf } from '../../http/request-head.ts'
import type { RequestTarget } from '../../http/request-target.ts'
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
import type { SendBuffer, SendBuffers } from './send-buffers.ts'
import { endAfterTurn } from './turn-end.ts'
import { byteLengthOf, endKept, writeKept } from './write-kept-text.ts'

/** A request of Node. */
export class NodeRequest implements UncheckedRequest {
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

  readBody(limits: BodyLimits): Promise<RequestBody> {
    if (this.#parsed !== undefined) return Promise.resolve({ value: this.#parsed })
    return new Promise((resolve) => {
      new BodyReader(this.raw, limits, resolve)
    })
  }
}

/** What is kept of a request whose body is not complete, besides the body. */
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
    // Half a body is one that never comes; whoever sent it is gone. Without a listener Node tells no errors, just this.
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

  /** What is too much or too late is not read any further. */
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
    unwatch(this)
    this.#first = undefined
    this.#more = undefined
    // The request outlives its body, and must not keep it through the promise.
    const resolve = this.#resolve
    this.#resolve = nobodyWaits
    resolve(body)
  }
}

/** An answer of Node. */
export class NodeReply implements HttpReply {
  readonly #response: ServerResponse
  readonly #buffers: SendBuffers
  #body: Text | undefined
  #bytes = 0

  constructor(response: ServerResponse, buffers: SendBuffers) {
    this.#response = response
    this.#buffers = buffers
  }

  get crowded(): boolean {
    return !this.#buffers.hasRoom
  }

  room(): Promise<boolean> | undefined {
    return this.#buffer.room()
  }

  send(status: number, headers: ReplyHeaders, body?: Text): void {
    const fields: string[] = []
    for (const name in headers) fields.push(name, headers[name]!)
    this.#bytes = body === undefined ? 0 : byteLengthOf(body)
    if (status !== 204) fields.push('content-length', String(this.#bytes))
    // A flat list is what Node writes fastest.
    this.#response.writeHead(status, fields)
    if (headers.connection === 'close' && !this.#response.req.complete) lingerOn(this.#response, String(body ?? ''))
    else if (this.#buffer.add(this.#bytes)) {
      this.#body = body
      endAfterTurn(this)
    }
  }

  /** Hands over what was sent in this turn. */
  end(): void {
    const body = this.#body
    this.#body = undefined
    if (typeof body === 'object') endKept(this.#response, body)
    else this.#response.end(body)
    this.#buffer.added(this.#response, this.#bytes)
  }

  get #buffer(): SendBuffer {
    return this.#buffers.bufferOf(this.#response.req.socket)
  }

  stream(headers: ReplyHeaders): ReplyStream {
    this.#response.writeHead(200, headers)
    const stream = new NodeStream(this.#response, this.#buffer, this.#buffers.limits.maxBufferedBytes)
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
  readonly #buffer: SendBuffer
  readonly #maxBufferedBytes: number
  #begun = false
  #room: Gate | undefined

  constructor(response: ServerResponse, buffer: SendBuffer, maxBufferedBytes: number) {
    this.#response = response
    this.#buffer = buffer
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
    this.#buffer.streams(response.writableLength)
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
      this.#buffer.streams(0)
      room.open()
    }
    this.#response.on('drain', open).on('close', open)
    return room
  }
}
