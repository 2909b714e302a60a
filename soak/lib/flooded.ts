import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../flooded.mjs', import.meta.url))

/** The heap of a Node process with 512 MB. */
const heapMegabytes = 256

export type KeptKind = 'sessions' | 'subscriptions' | 'tasks' | 'events' | 'bodies' | 'calls' | 'unsent'

export interface Stats {
  kept: { [kind in KeptKind]: { bytes: number; limit: number } }
  maxRss: number
}

const accepts = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A server process with little memory, and its clients. */
export class Flooded {
  readonly #child: ChildProcess
  readonly #waiting: { resolve(told: unknown): void; reject(error: Error): void }[] = []
  readonly #sockets: Socket[] = []
  readonly #unread: Response[] = []
  readonly #leave = new AbortController()
  url = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (told) => this.#waiting.shift()?.resolve(told))
    child.on('exit', (code, signal) => this.#ended(signal ?? code))
  }

  static async start(): Promise<Flooded> {
    const execArgv = [`--max-old-space-size=${heapMegabytes}`]
    const flooded = new Flooded(fork(program, { execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }))
    const { url } = await flooded.#told<{ url: string }>()
    flooded.url = url
    return flooded
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Its next message. Rejects if it ends instead. */
  #told<Told>(): Promise<Told> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve: resolve as (told: unknown) => void, reject })
    })
  }

  #ended(why: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(`the server ended (${why})`))
  }

  stats(): Promise<Stats> {
    if (!this.#child.connected) return Promise.reject(new Error('the server ended'))
    const told = this.#told<Stats>()
    this.#child.send('stats')
    return told
  }

  /** A request of 2026-07-28, as text for a socket or as an argument of `fetch`. */
  request(
    method: string,
    params: { [member: string]: unknown },
    id = 1,
  ): RequestInit & { headers: { [name: string]: string }; body: string } {
    const name = params.name as string | undefined
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    }
    return {
      method: 'POST',
      headers: {
        ...accepts,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name && { 'mcp-name': name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
    }
  }

  /** The status of the answer, whose body is read if it ends. */
  async send(
    init: RequestInit,
    { reads = true } = {},
  ): Promise<{ status: number; session: string | undefined; text: string }> {
    const response = await fetch(this.url, { ...init, signal: this.#leave.signal })
    const isRead = reads || response.status !== 200
    // `fetch` gives up a response without a reference.
    if (!isRead) this.#unread.push(response)
    const text = isRead ? await response.text() : ''
    return { status: response.status, session: response.headers.get('mcp-session-id') ?? undefined, text }
  }

  /** The `initialize` request, with too much in its params. */
  initialize(more: object = {}, capabilities: object = {}): RequestInit {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'flood', version: '1' }, ...more }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    return { method: 'POST', headers: accepts, body }
  }

  /** A connection that writes a text, and reads nothing. */
  open(text: string | Buffer): Socket {
    const socket = connect(Number(new URL(this.url).port), '127.0.0.1')
    socket.pause()
    socket.on('error', () => {})
    socket.write(text)
    this.#sockets.push(socket)
    return socket
  }

  /** The text of a request, for a socket; `length` is its claimed content length. */
  text(
    { headers, body }: { headers: { [name: string]: string }; body: string },
    length = Buffer.byteLength(body),
  ): string {
    const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': length }).map((one) =>
      one.join(': '),
    )
    return `POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
  }

  /** Another client, of either era, is answered. Throws if not. */
  async servesOthers(): Promise<void> {
    const call = await this.send(this.request('tools/call', { name: 'small' }))
    if (call.status !== 200 || !call.text.includes('small'))
      throw new Error(`a call is answered with ${call.status} ${call.text}`)
    const { status, session, text } = await this.send(this.initialize())
    if (session === undefined) throw new Error(`a session is refused with ${status} ${text}`)
  }

  /** The attackers leave. */
  leave(): void {
    this.#leave.abort()
    for (const socket of this.#sockets.splice(0)) socket.destroy()
  }

  async stop(): Promise<void> {
    this.leave()
    if (!this.isAlive) return
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exit
  }
}
