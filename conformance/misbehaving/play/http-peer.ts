import { createServer, type Server, type Socket } from 'node:net'
import { forgetServers } from '@tenon/sdk/client'
import type { Action } from './notation.ts'
import type { Script, Voice } from './script.ts'

/** A misbehaving server on a socket. It knows just enough HTTP to read requests, and writes scripted bytes. */
export class HttpPeer implements AsyncDisposable {
  readonly #listener: Server
  readonly #sockets: Set<Socket>
  readonly url: string

  private constructor(listener: Server, sockets: Set<Socket>) {
    this.#listener = listener
    this.#sockets = sockets
    this.url = `http://127.0.0.1:${(listener.address() as { port: number }).port}/mcp`
    // Another case may have had this port, and the client remembers servers by their addresses.
    forgetServers(this.url)
  }

  static async open(script: Script): Promise<HttpPeer> {
    const sockets = new Set<Socket>()
    const listener = createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      serve(socket, script)
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    return new HttpPeer(listener, sockets)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#listener.close(resolve))
  }
}

function serve(socket: Socket, script: Script): void {
  let pending = Buffer.alloc(0)
  let turn = Promise.resolve()
  socket.setNoDelay()
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (let request = nextRequest(pending); request !== undefined; request = nextRequest(pending)) {
      pending = pending.subarray(request.end)
      const { verb, path, body } = request
      turn = turn.then(() => answer(socket, script, verb, path, body))
    }
  })
}

interface Request {
  verb: string
  path: string
  body: string
  end: number
}

function nextRequest(bytes: Buffer): Request | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const [verb = '', path = ''] = head.split(' ')
  const start = headEnd + 4
  const end = start + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  return bytes.length < end ? undefined : { verb, path, body: bytes.toString('utf8', start, end), end }
}

async function answer(socket: Socket, script: Script, verb: string, path: string, body: string): Promise<void> {
  const message = verb === 'POST' ? JSON.parse(body) : undefined
  const on = message === undefined ? verb : (message.method ?? 'answer')
  const known = script.has(path) ? path : on
  const voice = new HttpVoice(socket, script.upcoming(known), message?.id === undefined || message.method === undefined)
  if (message === undefined || known === path) await script.event(known, voice)
  else await script.message(message, voice)
  if (!voice.spoke && verb !== 'POST') voice.act({ verb: 'status', text: verb === 'DELETE' ? '200' : '405' })
  voice.end()
}

class HttpVoice implements Voice {
  readonly #socket: Socket
  readonly #streamed: boolean
  readonly #headers = new Map<string, string>()
  #status: string
  #begun = false
  #raw = false
  #over = false
  #bytewise = false
  spoke = false

  constructor(socket: Socket, actions: readonly Action[], needsNoAnswer: boolean) {
    this.#socket = socket
    const said = actions.filter(({ verb }) => ['<', 'result', 'error'].includes(verb))
    this.#streamed = said.length > 1 || actions.some(({ verb }) => verb === 'stream')
    this.#status = needsNoAnswer ? '202 Accepted' : '200 OK'
    this.#headers.set('content-type', this.#streamed ? 'text/event-stream' : 'application/json')
  }

  say(message: string): void {
    this.write(Buffer.from(this.#streamed ? `data: ${message}\n\n` : message))
  }

  write(bytes: Uint8Array): void {
    this.#begin()
    if (!this.#bytewise) this.#chunk(bytes)
    else for (const byte of bytes) this.#chunk(Buffer.of(byte))
  }

  act({ verb, text }: Action): boolean {
    this.spoke = true
    if (verb === 'status') this.#status = text
    else if (verb === 'header') this.#setHeader(text)
    else if (verb === 'stream') this.#begin()
    else if (verb === 'bytewise') this.#bytewise = true
    else if (verb === 'raw') this.#writeRaw(Buffer.from(JSON.parse(text) as string))
    else if (verb === 'cut') this.#stop(() => this.#socket.end())
    else if (verb === 'reset') this.#stop(() => this.#socket.resetAndDestroy())
    else if (verb === 'hang') this.#stop(() => {})
    else return verb === 'nothing'
    return true
  }

  end(): void {
    if (this.#over) return
    this.#begin()
    if (this.#raw) this.#socket.end()
    else if (!this.#headers.has('content-length')) this.#socket.write('0\r\n\r\n')
  }

  #setHeader(text: string): void {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(text)!
    if (value === '') this.#headers.delete(name)
    else this.#headers.set(name, value)
  }

  #begin(): void {
    this.spoke = true
    if (this.#begun || this.#raw) return
    this.#begun = true
    if (!this.#headers.has('content-length')) this.#headers.set('transfer-encoding', 'chunked')
    const lines = [...this.#headers].map(([name, value]) => `${name}: ${value}\r\n`)
    this.#socket.write(`HTTP/1.1 ${this.#status}\r\n${lines.join('')}\r\n`)
  }

  #chunk(bytes: Uint8Array): void {
    if (this.#over || bytes.length === 0) return
    const framed = !this.#raw && !this.#headers.has('content-length')
    this.#socket.write(framed ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, crlf]) : bytes)
  }

  #writeRaw(bytes: Uint8Array): void {
    this.#raw = true
    this.#socket.write(bytes)
  }

  #stop(how: () => void): void {
    if (!this.#raw) this.#begin()
    this.#over = true
    how()
  }
}

const crlf = Buffer.from('\r\n')
