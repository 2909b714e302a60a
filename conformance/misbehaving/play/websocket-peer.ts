import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Action } from './notation.ts'
import type { Script, Voice } from './script.ts'

/** A misbehaving server of WebSocket. It writes its frames itself: libraries refuse invalid ones. */
export class WebSocketPeer implements AsyncDisposable {
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()
  readonly url: string

  private constructor(server: Server, script: Script) {
    this.#server = server
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    server.on('upgrade', (request, socket) => {
      this.#sockets.add(socket)
      void upgrade(request, socket, script)
    })
  }

  static async open(script: Script): Promise<WebSocketPeer> {
    const server = createServer((_request, reply) => void reply.writeHead(426).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new WebSocketPeer(server, script)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

async function upgrade(request: IncomingMessage, socket: Duplex, script: Script): Promise<void> {
  socket.on('error', () => {})
  const voice = new WebSocketVoice(socket)
  if (script.has('upgrade')) await script.event('upgrade', voice)
  if (voice.refused) return
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${magic}`).digest('base64')
  const headers = new Map([
    ['Upgrade', 'websocket'],
    ['Connection', 'Upgrade'],
    ['Sec-WebSocket-Accept', accept],
    ['Sec-WebSocket-Protocol', 'mcp'],
    ...voice.headers,
  ])
  const lines = [...headers].filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
  if (script.has('open')) await script.event('open', voice)
  let turn = Promise.resolve()
  readTexts(socket, (text) => {
    turn = turn.then(() => script.message(JSON.parse(text), voice))
  })
}

const opcodes: { readonly [name: string]: number } = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 }

/** A frame of a server: without a mask. `first` is its first byte. */
function frame(first: number, payload: Uint8Array): Uint8Array {
  const { length } = payload
  const head = length < 126 ? [first, length] : [first, 126, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), payload])
}

class WebSocketVoice implements Voice {
  readonly #socket: Duplex
  readonly headers = new Map<string, string>()
  refused = false

  constructor(socket: Duplex) {
    this.#socket = socket
  }

  say(message: string): void {
    this.#socket.write(frame(0x81, Buffer.from(message)))
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  act({ verb, text }: Action): boolean {
    if (verb === 'header') this.#setHeader(text)
    else if (verb === 'refuse') this.#refuse(text)
    else if (verb === 'frame') this.#frame(text)
    else if (verb === 'closes') this.#closes(text)
    else if (verb === 'cut') this.#socket.destroy()
    else return verb === 'nothing'
    return true
  }

  #setHeader(text: string): void {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(text)!
    this.headers.set(name, value)
  }

  #refuse(text: string): void {
    this.refused = true
    this.#socket.end(`HTTP/1.1 ${text}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
  }

  /** `frame text "…"`: one whole frame; `frame text+ "…"` is to be continued; `frame 0xf1 "…"` has this first byte. */
  #frame(text: string): void {
    const [, kind = '', more, payload = '""'] = /^(\w+)(\+?)\s?(.*)$/.exec(text)!
    const first = kind.startsWith('0x') ? Number(kind) : opcodes[kind]! | (more ? 0 : 0x80)
    this.#socket.write(frame(first, Buffer.from(JSON.parse(payload) as string)))
  }

  #closes(text: string): void {
    const [, code = '', reason = ''] = /^(\d+)\s?(.*)$/.exec(text)!
    const payload = Buffer.concat([Buffer.from([Number(code) >> 8, Number(code) & 255]), Buffer.from(reason)])
    this.#socket.write(frame(0x88, payload))
    this.#socket.end()
  }
}

/** The text frames of a client, which are masked, and small enough to come in one. */
function readTexts(socket: Duplex, take: (text: string) => void): void {
  let pending = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    for (let one = nextFrame(pending); one !== undefined; one = nextFrame(pending)) {
      pending = pending.subarray(one.end)
      if (one.opcode === opcodes.text) take(one.payload.toString())
      if (one.opcode === opcodes.close) socket.end(frame(0x88, one.payload))
    }
  })
}

function nextFrame(bytes: Buffer): { opcode: number; payload: Buffer; end: number } | undefined {
  if (bytes.length < 2) return undefined
  const short = bytes[1]! & 127
  const start = short === 126 ? 4 : 2
  if (bytes.length < start + 4) return undefined
  const length = short === 126 ? bytes.readUInt16BE(2) : short
  const end = start + 4 + length
  if (bytes.length < end) return undefined
  const mask = bytes.subarray(start, start + 4)
  const payload = Buffer.from(bytes.subarray(start + 4, end).map((byte, at) => byte ^ mask[at % 4]!))
  return { opcode: bytes[0]! & 15, payload, end }
}
