// Splits the output of a server into messages: lines for stdio, frames for WebSocket, bodies for HTTP. All give slices of
// the bytes.

const newline = 10

export class Lines {
  constructor(receive) {
    this.receive = receive
    this.parts = []
  }

  push(chunk) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.receive(this.whole(chunk.subarray(start, end)))
      start = end + 1
    }
    if (start < chunk.length) this.parts.push(start === 0 ? chunk : chunk.subarray(start))
  }

  whole(last) {
    if (this.parts.length === 0) return last
    const bytes = Buffer.concat([...this.parts, last])
    this.parts = []
    return bytes
  }

  static wrap(text) {
    return Buffer.from(`${text}\n`)
  }
}

export class WebSocketFrames {
  constructor(receive) {
    this.receive = receive
    this.rest = undefined
  }

  push(chunk) {
    const bytes = this.rest === undefined ? chunk : Buffer.concat([this.rest, chunk])
    let start = 0
    for (;;) {
      const payload = payloadAt(bytes, start)
      if (payload === undefined) break
      if ((bytes[start] & 15) !== 1) throw new Error(`expected a text frame, got opcode ${bytes[start] & 15}`)
      this.receive(bytes.subarray(payload.start, payload.end))
      start = payload.end
    }
    this.rest = start === bytes.length ? undefined : bytes.subarray(start)
  }

  /** A masked text frame; a mask of zeros keeps the payload as it is. */
  static wrap(text) {
    const payload = Buffer.from(text)
    const head =
      payload.length < 126
        ? Buffer.from([0x81, 0x80 | payload.length])
        : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255])
    return Buffer.concat([head, Buffer.alloc(4), payload])
  }
}

function payloadAt(bytes, at) {
  if (bytes.length < at + 4) return undefined
  const short = bytes[at + 1] & 127
  if (short === 127) throw new Error('a frame of more than 64 KiB was not expected')
  const start = short === 126 ? at + 4 : at + 2
  const end = start + (short === 126 ? bytes.readUInt16BE(at + 2) : short)
  return end > bytes.length ? undefined : { start, end }
}

/** The bodies of answers over HTTP/1.1 that name their length. */
export class HttpAnswers {
  constructor(receive) {
    this.receive = receive
    this.rest = undefined
  }

  push(chunk) {
    const bytes = this.rest === undefined ? chunk : Buffer.concat([this.rest, chunk])
    let start = 0
    for (;;) {
      const body = bodyAt(bytes, start)
      if (body === undefined) break
      this.receive(bytes.subarray(body.start, body.end))
      start = body.end
    }
    this.rest = start === bytes.length ? undefined : bytes.subarray(start)
  }
}

function bodyAt(bytes, at) {
  const headEnd = bytes.indexOf('\r\n\r\n', at)
  if (headEnd === -1) return undefined
  const head = bytes.latin1Slice(at, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (!head.startsWith('HTTP/1.1 200') || !length)
    throw new Error(`expected 200 and a length, got ${head.slice(0, 300)}`)
  const end = headEnd + 4 + Number(length[1])
  return end > bytes.length ? undefined : { start: headEnd + 4, end }
}
