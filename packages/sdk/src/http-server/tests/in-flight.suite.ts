/** A server on real sockets whose counters can be read, and clients that write their requests by hand. */
import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tool } from '../../server/features/tool.ts'
import { createServer } from '../../server/server.ts'
import { Endpoint } from '../endpoint.ts'
import { guardedListener } from '../node/node-handler.ts'
import type { HttpOptions } from '../options.ts'
import { bothTypes, initializeRequest, type Signal, signal, statelessMeta } from './http.suite.ts'

export const sessionRevisions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const
export const allRevisions = ['2024-11-05', ...sessionRevisions, '2026-07-28'] as const
export type AnyRevision = (typeof allRevisions)[number]

export type Counters = Endpoint['open']

export const nothingOpen: Counters = { inFlight: 0, streams: 0, sessionStreams: 0, sessions: 0, sse: 0, listens: 0 }

export interface Head {
  method: 'GET' | 'POST' | 'DELETE'
  path?: string
  headers?: { [name: string]: string }
}

/** How a client leaves: it closes both ways, it sends no more but listens on, or it resets the connection. */
export type Leaving = 'close' | 'half-close' | 'reset'

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Turns of the event loop until something is true. Nothing waits for time or for the network here, so a bound decides. */
export async function within(turns: number, isTrue: () => boolean): Promise<boolean> {
  for (let i = 0; i < turns && !isTrue(); i++) await turn()
  return isTrue()
}

/** An endpoint, the server that it answers for, and every connection to it. */
export class Observed {
  readonly endpoint: Endpoint
  readonly errors: unknown[] = []
  /** Handlers that run at this moment. */
  running = 0
  readonly #http: HttpServer
  readonly #seen = new Map<string, Signal<IncomingMessage>>()
  readonly #sockets = new Set<Socket>()
  readonly #clients = new Set<Connected>()
  #gate: Signal = signal()
  #sent = 0

  private constructor(options: HttpOptions | undefined, server: object | undefined) {
    this.endpoint = new Endpoint(this.#server(server), options)
    const handle = guardedListener(this.endpoint, {})
    this.#http = createHttpServer((request, response) => {
      handle(request, response)
      this.#seen.get(request.headers['x-number'] as string)?.give(request)
    })
    this.#http.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  static async start(options?: HttpOptions, server?: object): Promise<Observed> {
    const observed = new Observed(options, server)
    await new Promise<void>((resolve) => observed.#http.listen(0, '127.0.0.1', resolve))
    return observed
  }

  #server(overrides: object | undefined): ReturnType<typeof createServer> {
    const counted = async (work: () => Promise<unknown>): Promise<string> => {
      this.running++
      try {
        await work()
        return 'done'
      } finally {
        this.running--
      }
    }
    const aborted = (at: AbortSignal): Promise<unknown> =>
      new Promise((resolve) => {
        if (at.aborted) resolve(undefined)
        at.addEventListener('abort', resolve)
      })
    return createServer({
      name: 'observed',
      version: '1.0.0',
      onError: (error: unknown) => this.errors.push(error),
      tools: [
        tool({ name: 'echo', run: () => 'echo' }),
        tool({ name: 'later', run: () => counted(turn) }),
        tool({ name: 'wait', run: (_, ctx) => counted(() => Promise.race([this.#gate.seen, aborted(ctx.signal)])) }),
        tool({ name: 'deaf', run: () => counted(() => this.#gate.seen) }),
        tool({
          name: 'progress',
          run: (_, ctx) =>
            counted(async () => {
              await ctx.progress(1)
              await Promise.race([this.#gate.seen, aborted(ctx.signal)])
            }),
        }),
        tool({
          name: 'fail',
          run: () => {
            throw new Error('on purpose')
          },
        }),
        tool({ name: 'unsendable', run: () => ({ content: [], _meta: { count: 1n } }) as never }),
      ],
      ...overrides,
    })
  }

  /** Lets everything that waits go on. */
  release(): void {
    this.#gate.give()
    this.#gate = signal()
  }

  /** Sends a request on a connection of its own. Returns when the server has seen its head, or has hung up. */
  async send(head: Head, body?: string, cut = false): Promise<Connected> {
    const { port } = this.#http.address() as AddressInfo
    const number = String(this.#sent++)
    const seen = signal<IncomingMessage>()
    this.#seen.set(number, seen)
    const client = new Connected(connect(port, '127.0.0.1'))
    this.#clients.add(client)
    client.socket.write(requestText({ ...head, headers: { 'x-number': number, ...head.headers } }, body, cut))
    await Promise.race([seen.seen, client.closed])
    this.#seen.delete(number)
    // The rest of the request came along with its head, and handlers begin in the turn after.
    await turn()
    return client
  }

  /** Everybody leaves. Returns when the server knows. */
  async allLeave(): Promise<void> {
    for (const client of this.#clients) client.socket.destroy()
    for (const socket of this.#sockets) await new Promise((resolve) => socket.on('close', resolve))
  }

  /** Handlers return, clients leave: anything that is open after that stays open. */
  async settle(): Promise<void> {
    await within(200, () => this.#rests)
    await this.allLeave()
    await within(200, () => this.#rests && isQuiet(this.endpoint.open))
  }

  /** Whether no handler runs. One that has just begun is let go on. */
  get #rests(): boolean {
    this.release()
    return this.running === 0
  }

  async close(): Promise<void> {
    this.release()
    await this.endpoint.close()
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#http.close(() => resolve()))
  }
}

const isQuiet = ({ inFlight, streams, sse, listens }: Counters): boolean => inFlight + streams + sse + listens === 0

/** One connection, and the bytes that came back on it. */
export class Connected {
  readonly socket: Socket
  readonly closed: Promise<void>
  text = ''
  #more: Signal = signal()

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (data) => {
      this.text += data
      this.#changed()
    })
    socket.on('end', () => this.#changed())
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        resolve()
        this.#changed()
      })
    })
  }

  /** Waits for an answer that matches; throws if the connection ends before. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.text)
      if (match !== null) return match
      if (this.socket.destroyed || this.socket.readableEnded) throw new Error(`no ${pattern} in ${this.text}`)
      await this.#more.seen
    }
  }

  leave(how: Leaving): void {
    if (how === 'close') this.socket.destroy()
    else if (how === 'reset') this.socket.resetAndDestroy()
    else this.socket.end()
  }

  #changed(): void {
    const told = this.#more
    this.#more = signal()
    told.give()
  }
}

function requestText({ method, path = '/mcp', headers = {} }: Head, body: string | undefined, cut: boolean): string {
  const all = { host: 'localhost', accept: bothTypes, ...headers }
  const length = body === undefined ? [] : ['content-type: application/json', `content-length: ${body.length}`]
  const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)]
  const sent = cut ? body?.slice(0, body.length / 2) : body
  return [...lines, ...length, '', sent ?? ''].join('\r\n')
}

/** A client of one revision: knows where messages go, and which headers go with them. */
export class RevisionClient {
  readonly revision: AnyRevision
  /** The one stream of HTTP+SSE. */
  readonly stream: Connected | undefined
  readonly #observed: Observed
  readonly #path: string
  readonly #headers: { [name: string]: string }

  private constructor(
    observed: Observed,
    revision: AnyRevision,
    {
      path = '/mcp',
      headers = {},
      stream,
    }: { path?: string; headers?: { [name: string]: string }; stream?: Connected },
  ) {
    this.#observed = observed
    this.revision = revision
    this.#path = path
    this.#headers = headers
    this.stream = stream
  }

  /** Opens with `initialize`, where the revision does. */
  static async open(observed: Observed, revision: AnyRevision): Promise<RevisionClient> {
    if (revision === '2026-07-28') return new RevisionClient(observed, revision, {})
    const initialize = JSON.stringify(initializeRequest(revision))
    if (revision === '2024-11-05') {
      const stream = await observed.send({ method: 'GET', path: '/sse', headers: { accept: 'text/event-stream' } })
      const [, path] = await stream.until(/data: (\S+)\n/)
      await observed.send({ method: 'POST', path: path! }, initialize)
      await stream.until(/protocolVersion/)
      return new RevisionClient(observed, revision, { path: path!, stream })
    }
    const opened = await observed.send({ method: 'POST' }, initialize)
    const [, id] = await opened.until(/mcp-session-id: (\S+)\r\n.*protocolVersion/is)
    return new RevisionClient(observed, revision, { headers: { 'mcp-session-id': id! } })
  }

  get hasSession(): boolean {
    return this.#headers['mcp-session-id'] !== undefined
  }

  post(body: unknown, headers: { [name: string]: string } = {}, cut = false): Promise<Connected> {
    const head = { method: 'POST', path: this.#path, headers: { ...this.#headersFor(body), ...headers } } as const
    return this.#observed.send(head, JSON.stringify(this.#complete(body)), cut)
  }

  get(): Promise<Connected> {
    const headers = { ...this.#headers, accept: 'text/event-stream' }
    return this.#observed.send({ method: 'GET', path: this.#path, headers })
  }

  delete(): Promise<Connected> {
    return this.#observed.send({ method: 'DELETE', path: this.#path, headers: this.#headers })
  }

  #headersFor(body: unknown): { [name: string]: string } {
    if (this.revision !== '2026-07-28') return this.#headers
    const { method, params } = (body ?? {}) as { method?: string; params?: { name?: string } }
    return {
      'mcp-protocol-version': this.revision,
      ...(method !== undefined && { 'mcp-method': method }),
      ...(params?.name !== undefined && { 'mcp-name': params.name }),
    }
  }

  #complete(body: unknown): unknown {
    if (this.revision !== '2026-07-28' || typeof body !== 'object' || body === null || !('id' in body)) return body
    const { params } = body as { params?: { _meta?: object } }
    return { ...body, params: { ...params, _meta: { ...statelessMeta(), ...params?._meta } } }
  }
}

export const ping = (id: number): object => ({ jsonrpc: '2.0', id, method: 'ping' })

export const call = (id: number, name: string): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: { progressToken: id } },
})

export const cancel = (requestId: unknown): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})

export const listenRequest = (id: number): object => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true } },
})
