import type { ServerResponse } from 'node:http'
import type { HttpReply, ReplyHeaders, ReplyStream } from '../../http/request.ts'
import { type Gate, gate } from '../../internal/gate.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Text } from '../../transport/cached-text.ts'
import type { SendBuffer, SendBuffers } from './send-buffers.ts'
import { endAfterTurn } from './turn-end.ts'
import { byteLengthOf, endKept, writeKept } from './write-kept-text.ts'

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
    // Node writes a flat list fastest.
    this.#response.writeHead(status, fields)
    if (headers.connection === 'close' && !this.#response.req.complete) lingerOn(this.#response, String(body ?? ''))
    else if (this.#buffer.add(this.#bytes)) {
      this.#body = body
      endAfterTurn(this)
    }
  }

  /** Hands over the answer that was sent in this turn. */
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
 * and more data is dropped for a while, until the client has read why it need not go on.
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

  write(text: Text): MaybePromise<void> {
    const response = this.#response
    if (response.writableEnded || response.destroyed) return
    this.#begun = true
    if (typeof text === 'string' ? response.write(text) : writeKept(response, text)) return
    // A client that does not read must not fill the memory; its events wait in the log.
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

  /** A client that waits for events gets the head at once. */
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
