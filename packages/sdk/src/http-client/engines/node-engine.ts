import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { guardListener } from '../../internal/guard-listener.ts'
import { version } from '../../version.ts'
import { connectionFailure } from './connection-failure.ts'
import type { Engine, OutgoingHttpRequest, ReplyReader, Sent } from './engine.ts'

interface NodeEngineOptions {
  agent?: object
  connectTimeoutMs: number
}

type Http = Pick<typeof import('node:http'), 'request' | 'Agent'>
type Builtins = { getBuiltinModule?: (id: string) => Http | undefined; versions?: { node?: string } }

/** The HTTP client of Node, or undefined elsewhere. Looked up by name, so that bundlers for browsers never see it. */
function builtin(id: string): Http | undefined {
  const { process, Bun, Deno } = globalThis as { process?: Builtins; Bun?: unknown; Deno?: unknown }
  // Their own `fetch` is the fast way there.
  if (Bun !== undefined || Deno !== undefined) return undefined
  return process?.versions?.node === undefined ? undefined : process.getBuiltinModule?.(id)
}

const userAgent = `tenon/${version}`
// Less than the 5 s after which common servers close an idle connection: closing first loses no request.
const idleMs = 4_000
// Several kept connections may have died together, as after a restart of the server.
const maxRepeats = 16

/** Sends requests with the HTTP client of Node, several times faster than its `fetch`; undefined on other runtimes. */
export function nodeEngine(secure: boolean, options: NodeEngineOptions): Engine | undefined {
  const http = builtin(secure ? 'node:https' : 'node:http')
  if (http === undefined) return undefined
  const own = options.agent === undefined ? new http.Agent({ keepAlive: true, timeout: idleMs }) : undefined
  const agent = own ?? (options.agent as Agent)
  const peer = { answers: false }
  return {
    send(request, reader) {
      const exchange = new NodeExchange(http, agent, request, reader, options.connectTimeoutMs, peer)
      exchange.run()
      return exchange
    },
    close: () => own?.destroy(),
  }
}

class NodeExchange implements Sent {
  readonly #http: Http
  readonly #agent: Agent
  readonly #request: OutgoingHttpRequest
  readonly #reader: ReplyReader
  readonly #connectTimeoutMs: number
  /** Whether the server has answered any request in HTTP. */
  readonly #peer: { answers: boolean }
  #sent: ClientRequest | undefined
  #answered = false
  #over = false
  #repeats = 0

  constructor(
    http: Http,
    agent: Agent,
    request: OutgoingHttpRequest,
    reader: ReplyReader,
    connectTimeoutMs: number,
    peer: { answers: boolean },
  ) {
    this.#http = http
    this.#agent = agent
    this.#request = request
    this.#reader = reader
    this.#connectTimeoutMs = connectTimeoutMs
    this.#peer = peer
  }

  abort(): void {
    this.#over = true
    this.#sent?.destroy()
  }

  run(): void {
    let sent: ClientRequest
    try {
      sent = this.#http.request(this.#options())
    } catch (error) {
      // Such as an invalid header of the user.
      queueMicrotask(() => this.#fail(error as Error))
      return
    }
    this.#sent = sent
    const { body } = this.#request
    if (!sent.hasHeader('User-Agent')) sent.setHeader('User-Agent', userAgent)
    if (body !== undefined) sent.setHeader('Content-Length', Buffer.byteLength(body))
    sent.on('socket', (socket) => limitConnecting(sent, socket, this.#connectTimeoutMs))
    sent.on(
      'response',
      guardListener((reply: IncomingMessage) => this.#read(reply), { report: this.#failed }),
    )
    sent.on('error', (error) => this.#broken(error))
    sent.end(body)
  }

  #options(): RequestOptions {
    const { method, url, headers } = this.#request
    return { agent: this.#agent, method, headers, ...placeOf(url) }
  }

  #read(reply: IncomingMessage): void {
    if (this.#over) return
    this.#answered = true
    this.#peer.answers = true
    const take = (bytes: Buffer): void => {
      if (!this.#over) this.#reader.chunk(bytes)
    }
    const end = (): void => {
      if (this.#over) return
      this.#over = true
      this.#reader.end()
    }
    reply.on('data', guardListener(take, { report: this.#failed }))
    reply.on('end', guardListener(end, { report: this.#failed }))
    reply.on('error', (error) => this.#fail(error))
    reply.on('close', () => {
      if (!this.#over) this.#fail(new Error('the connection was closed before the end of the reply'))
    })
    this.#reader.head({
      status: reply.statusCode!,
      fields: reply.headers,
      header: (name) => {
        const value = reply.headers[name]
        return Array.isArray(value) ? value.join(', ') : value
      },
    })
  }

  #broken(error: Error): void {
    const stale = this.#sent?.reusedSocket === true && !this.#answered
    if (this.#over || !stale || this.#repeats >= maxRepeats || this.#request.repeatable !== true) {
      this.#fail(error)
      return
    }
    this.#repeats += 1
    this.run()
  }

  /** An exception while the reply was read: the rest of it is dropped. */
  readonly #failed = (error: unknown): void => {
    this.#fail(error instanceof Error ? error : new Error(String(error)))
    this.#sent?.destroy()
  }

  #fail(error: Error): void {
    if (this.#over) return
    this.#over = true
    this.#reader.broken(connectionFailure(this.#request.url, error, this.#peer.answers))
  }
}

// The parts of a URL are computed on each access, and one URL is used again and again.
const places = new WeakMap<URL, Place>()
type Place = Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path'>

function placeOf(url: URL): Place {
  const known = places.get(url)
  if (known !== undefined) return known
  const { protocol, hostname, port, pathname, search } = url
  const place = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, path: pathname + search }
  places.set(url, place)
  return place
}

const connectTimeout = (limitMs: number): Error =>
  Object.assign(new Error(`no connection within ${limitMs} ms`), { name: 'ConnectTimeoutError' })

/** A host that does not even accept the connection must not use up the timeout of a call. */
function limitConnecting(sent: ClientRequest, socket: Socket, limitMs: number): void {
  if (!socket.connecting) return
  const timer = setTimeout(() => sent.destroy(connectTimeout(limitMs)), limitMs)
  const stop = (): void => clearTimeout(timer)
  socket.once('connect', stop)
  socket.once('close', stop)
}
