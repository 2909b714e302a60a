// One keep-alive connection that sends prebuilt requests, one at a time, and checks every answer.
//
// A load generator that parses HTTP and JSON costs as much as the server it measures. So an answer is parsed once; after
// that the same request has to give the same bytes, except in the head, where the date is. Only bytes that differ are
// parsed again.
import { connect } from 'node:net'

const separator = Buffer.from('\r\n\r\n')

export class HttpConnection {
  /**
   * @param {number} port
   * @param {(index: number, messages: object[]) => void} check throws on a wrong answer to request `index`
   * @param {(connection: HttpConnection, error?: Error) => void} done called after each answer
   */
  constructor(port, check, done) {
    this.check = check
    this.done = done
    this.known = new Map()
    this.expected = undefined
    this.position = 0
    this.parts = undefined
    this.index = -1
    this.port = port
    this.open()
  }

  open() {
    const buffer = Buffer.allocUnsafe(256 * 1024)
    const callback = (length, bytes) => {
      this.receive(bytes, length)
      return true
    }
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } })
    // The state of a socket matters as long as an answer is expected on it.
    const lose = (error) => socket === this.socket && this.index !== -1 && this.done(this, error)
    socket.on('error', lose)
    socket.on('close', () => lose(new Error('the server closed the connection')))
    this.socket = socket
    this.usedAt = performance.now()
  }

  /** Servers close idle connections without notice: Node does so after 5 s. */
  refresh() {
    if (performance.now() - this.usedAt < 2000) return
    this.socket.destroy()
    this.open()
  }

  send(index, bytes) {
    this.index = index
    this.position = 0
    this.parts = undefined
    this.expected = this.known.get(index)
    this.socket.write(bytes)
  }

  close() {
    this.index = -1
    this.socket.destroy()
  }

  receive(bytes, length) {
    if (this.expected !== undefined && this.parts === undefined) {
      if (this.isExpected(bytes, length)) return
      this.parts = [this.expected.bytes.subarray(0, this.position)]
    }
    this.parts ??= []
    this.parts.push(Buffer.from(bytes.subarray(0, length)))
    this.tryParse()
  }

  isExpected(bytes, length) {
    const { bytes: wanted, bodyStart } = this.expected
    const end = this.position + length
    if (end > wanted.length) return false
    const from = Math.max(bodyStart - this.position, 0)
    if (from < length && bytes.compare(wanted, this.position + from, end, from, length) !== 0) return false
    this.position = end
    if (end === wanted.length) this.finish()
    return true
  }

  tryParse() {
    const last = this.parts[this.parts.length - 1]
    if (this.stillChunked && !endsChunks(last)) return
    const bytes = this.parts.length === 1 ? last : Buffer.concat(this.parts)
    const answer = parseAnswer(bytes)
    this.stillChunked = answer === 'chunks missing'
    if (typeof answer === 'string') {
      this.parts = [bytes]
      return
    }
    try {
      if (answer.status !== 200 && answer.status !== 202) {
        throw new Error(`status ${answer.status}: ${answer.body.toString().slice(0, 300)}`)
      }
      this.answer = answer
      this.check(this.index, messagesOf(answer))
    } catch (error) {
      return this.done(this, error)
    }
    this.known.set(this.index, { bytes, bodyStart: answer.bodyStart })
    this.finish()
  }

  finish() {
    this.index = -1
    this.usedAt = performance.now()
    this.done(this)
  }
}

const endsChunks = (bytes) => bytes.length < 5 || bytes.latin1Slice(bytes.length - 5) === '0\r\n\r\n'

/** The parts of a complete answer, or the reason why it is not complete. */
function parseAnswer(bytes) {
  const headEnd = bytes.indexOf(separator)
  if (headEnd === -1) return 'head missing'
  const head = bytes.latin1Slice(0, headEnd)
  const bodyStart = headEnd + 4
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (length) {
    if (bytes.length < bodyStart + Number(length[1])) return 'body missing'
    return { status, head, bodyStart, body: bytes.subarray(bodyStart) }
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, head, bodyStart, body: Buffer.alloc(0) }
  if (!endsChunks(bytes)) return 'chunks missing'
  const body = unchunk(bytes, bodyStart)
  return body === undefined ? 'chunks missing' : { status, head, bodyStart, body }
}

function unchunk(bytes, start) {
  const parts = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.latin1Slice(at, lineEnd), 16)
    if (size === 0) return Buffer.concat(parts)
    if (lineEnd + 2 + size + 2 > bytes.length) return undefined
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

function messagesOf({ head, body }) {
  if (body.length === 0) return []
  if (!/\r\ncontent-type: *text\/event-stream/i.test(head)) return [JSON.parse(body.toString())]
  const messages = []
  for (const line of body.toString().split('\n')) {
    if (line.startsWith('data:') && line.length > 6) messages.push(JSON.parse(line.slice(5)))
  }
  return messages
}
