import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketServer as WsServer } from 'ws'
import type { Authenticate, AuthRefusal } from '../http/authenticate.ts'
import { readHead, repeatsHost, targetOf } from '../http/request-head.ts'
import { assertPath } from '../http/request-target.ts'
import { guardListener } from '../internal/guard-listener.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { withinMs } from '../internal/timers.ts'
import { maxClientMessageBytes } from '../jsonrpc/limits.ts'
import { checkLimits } from '../options/check-limits.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { AnyServer } from '../server/server.ts'
import { Connections } from '../socket/connections.ts'
import { WebSocketChannel, type WebSocketLimits } from './channel.ts'
import { CloseCode, subprotocol } from './frame-socket.ts'
import { refuseUpgrade, sendRefusal, type UpgradePolicy, type UpgradeRefusal } from './refusals.ts'
import { UpgradeRequest } from './upgrade-request.ts'
import { WsSocket } from './ws-socket.ts'

export interface AttachWebSocketOptions extends WebSocketLimits, UpgradePolicy {
  /** Default: `/mcp`. */
  path?: string
  /** Authenticates the request for a connection, or refuses it: `bearer(...)`, or a function. Has ten seconds. */
  auth?: Authenticate
  /** Clients at once; more are refused. Default: 256. */
  maxConnections?: number
  /** Whether messages may be compressed; a small one can then expand to a big one. Default: false. */
  compression?: boolean
  /** How long `close` waits for requests in flight; default: 5000. */
  closeTimeoutMs?: number
  /** Receives errors outside of connections, such as an exception of `auth`. */
  onError?: (error: unknown) => void
}

/** WebSockets that an HTTP server accepts. */
export interface AttachedWebSocket extends AsyncDisposable {
  /** The number of connected clients. */
  readonly connections: number
  /** Accepts no more clients, finishes requests in flight, and ends all connections, in bounded time. */
  close(): Promise<void>
}

const authTimeoutMs = 10_000
const maxFragments = 1024

/**
 * Serves clients that request a WebSocket from your HTTP server.
 *
 * @example
 * const http = createHttpServer(app)
 * await attachWebSocket(http, server, { path: '/mcp', allowedHosts: ['example.com'] })
 */
export async function attachWebSocket(
  http: HttpServer,
  server: AnyServer,
  options: AttachWebSocketOptions = {},
): Promise<AttachedWebSocket> {
  checkLimits(options, 'attachWebSocket')
  // Loaded lazily: clients do not need the server.
  const { WebSocketServer } = await import('ws')
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: options.maxMessageBytes ?? maxClientMessageBytes,
    maxFragments,
    perMessageDeflate: options.compression ?? false,
    handleProtocols: () => subprotocol,
    autoPong: false,
  })
  return new Attached(http, server, sockets, options)
}

/** The attached ones of an HTTP server: each gets every upgrade, and one of them refuses unknown paths. */
const attachedTo = new WeakMap<HttpServer, Attached[]>()

class Attached implements AttachedWebSocket {
  readonly #http: HttpServer
  readonly #sockets: WsServer
  readonly #options: AttachWebSocketOptions
  readonly #path: string
  readonly #connections: Connections
  readonly #channels = new Set<WebSocketChannel>()
  /** Requests that are not decided yet. */
  readonly #arriving = new Set<Duplex>()
  #closing: Promise<void> | undefined

  constructor(http: HttpServer, server: AnyServer, sockets: WsServer, options: AttachWebSocketOptions) {
    this.#http = http
    this.#sockets = sockets
    this.#options = options
    this.#connections = new Connections(server)
    this.#path = options.path ?? '/mcp'
    assertPath(this.#path, 'path')
    attachedTo.set(http, [...(attachedTo.get(http) ?? []), this])
    http.on('upgrade', this.#guardedUpgrade)
  }

  get connections(): number {
    return this.#connections.size
  }

  readonly #guardedUpgrade = guardListener(
    (request: IncomingMessage, stream: Duplex, head: Buffer) => this.#onUpgrade(request, stream, head),
    {
      report: (error) => this.#options.onError?.(error),
      answer: (request, stream) => refuse(request, stream, { status: 500, message: 'Internal error' }),
    },
  )

  #onUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): MaybePromise<void> {
    const target = targetOf(request)
    if (target?.path === this.#path) {
      ignoreErrors(stream)
      return this.#decide(request, stream, head)
    }
    if (!this.#answersFor(target?.path)) return
    ignoreErrors(stream)
    const refusal = target === undefined ? notNormal : repeatsHost(request) ? twoHosts : nothingHere
    refuse(request, stream, refusal)
  }

  /** Whether this one refuses a path that belongs to none of them. */
  #answersFor(path: string | undefined): boolean {
    const all = attachedTo.get(this.#http)!
    const hasStrangers = this.#http.listenerCount('upgrade') > all.length
    return !hasStrangers && all[0] === this && !all.some((one) => one.#path === path)
  }

  async #decide(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const found = readHead(request)
    if (found === undefined) return refuse(request, stream, twoHosts)
    if (request.method !== 'GET') return refuse(request, stream, notGet)
    const refusal = this.#refuseCrowd() ?? refuseUpgrade(found, this.#options)
    if (refusal) return refuse(request, stream, refusal)
    const asked = new UpgradeRequest(request, found.target)
    this.#arriving.add(stream)
    const decision = await this.#authenticate(asked)
    this.#arriving.delete(stream)
    if (isRefusal(decision)) return refuse(request, stream, decision)
    if (stream.destroyed || this.#closing) return void stream.destroy()
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      const channel = new WebSocketChannel(new WsSocket(socket, stream), this.#options)
      this.#channels.add(channel)
      const stopWatching = this.#endWithToken(channel, asked, decision.auth)
      socket.on('close', () => {
        this.#channels.delete(channel)
        stopWatching?.()
      })
      this.#connections.serve(channel, { transport: 'websocket', ...decision })
    })
  }

  #refuseCrowd(): UpgradeRefusal | undefined {
    const { maxConnections = 256 } = this.#options
    if (this.#connections.size + this.#arriving.size < maxConnections) return undefined
    return { status: 503, message: `Too many connections (the limit is ${maxConnections})` }
  }

  /** An open connection is not authenticated again, so it lasts no longer than the token. */
  #endWithToken(
    channel: WebSocketChannel,
    request: UpgradeRequest,
    auth: AuthInfo | undefined,
  ): (() => void) | undefined {
    if (auth === undefined) return undefined
    return this.#options.auth?.watch?.(request, auth, () => {
      channel.farewell = { code: CloseCode.PolicyViolation, reason: 'The access token is no longer good' }
      void channel.close()
    })
  }

  async #authenticate(request: UpgradeRequest): Promise<{ auth?: AuthInfo } | UpgradeRefusal> {
    const { auth, onError } = this.#options
    if (!auth) return {}
    try {
      let found: Awaited<ReturnType<Authenticate>>
      const asking = (async () => {
        found = await auth(request, this.#path)
      })()
      if (!(await withinMs(authTimeoutMs, asking))) return { status: 503, message: 'Try again later' }
      if (isAuthInfo(found)) return { auth: found }
      return { status: 401, message: 'Not authenticated', ...found }
    } catch (error) {
      onError?.(error)
      return { status: 500, message: 'Internal error' }
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    this.#http.off('upgrade', this.#guardedUpgrade)
    attachedTo.set(
      this.#http,
      attachedTo.get(this.#http)!.filter((one) => one !== this),
    )
    for (const stream of this.#arriving) stream.destroy()
    for (const channel of this.#channels)
      channel.farewell = { code: CloseCode.GoingAway, reason: 'The server is going away' }
    await this.#connections.close(this.#options.closeTimeoutMs ?? 5000)
  }
}

const notNormal: UpgradeRefusal = { status: 400, message: 'The target is not a path in normal form' }
const nothingHere: UpgradeRefusal = { status: 404, message: 'Nothing here' }
// Refused here, because `ws` sends a body to HEAD.
const notGet: UpgradeRefusal = { status: 405, message: 'Expected GET', headers: { allow: 'GET' } }
const twoHosts: UpgradeRefusal = { status: 400, message: 'More than one Host' }

/** The answer to HEAD has no body. */
const refuse = ({ method }: IncomingMessage, stream: Duplex, refusal: UpgradeRefusal): void =>
  sendRefusal(stream, method === 'HEAD' ? { ...refusal, message: '' } : refusal)

const isAuthInfo = (found: AuthInfo | AuthRefusal | undefined): found is AuthInfo =>
  typeof (found as AuthInfo | undefined)?.principal === 'string'

const isRefusal = (decision: { auth?: AuthInfo } | UpgradeRefusal): decision is UpgradeRefusal => 'status' in decision

/** Without a listener an error of a stream ends the process. */
function ignoreErrors(stream: Duplex): void {
  stream.on('error', () => {})
}
