import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketServer as WsServer } from 'ws'
import type { Authenticate, AuthRefusal } from '../http-server/options.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { AnyServer } from '../server/server.ts'
import { Connections } from '../socket/connections.ts'
import { withinMs } from '../transport/wait.ts'
import { defaultMaxMessageBytes, WebSocketChannel, type WebSocketLimits } from './channel.ts'
import { pathOf, refuseUpgrade, sendRefusal, type UpgradePolicy, type UpgradeRefusal } from './refusals.ts'
import { UpgradeRequest } from './upgrade-request.ts'
import { CloseCode, subprotocol } from './wire.ts'
import { WsWire } from './ws-wire.ts'

export interface AttachWebSocketOptions extends WebSocketLimits, UpgradePolicy {
  /** Default: `/mcp`. */
  path?: string
  /** Says who asks for the connection, or why it is refused: `bearer(...)`, or a function. Has ten seconds. */
  auth?: Authenticate
  /** Clients at once; more are refused. Default: 256. */
  maxConnections?: number
  /** Whether messages may be compressed; a small one can then become a big one. Default: false. */
  compression?: boolean
  /** How long `close` lets requests in work go on; default: 5000. */
  closeTimeoutMs?: number
  /** Gets what goes wrong besides the connections, such as an exception of `auth`. */
  onError?: (error: unknown) => void
}

/** WebSockets that an HTTP server accepts. */
export interface AttachedWebSocket extends AsyncDisposable {
  /** How many clients are connected. */
  readonly connections: number
  /** Lets no one in any more, finishes what is in work, and ends all connections, in bounded time. */
  close(): Promise<void>
}

const authTimeoutMs = 10_000
const maxFragments = 1024

/**
 * Serves clients that ask an HTTP server of yours for a WebSocket.
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
  // Loaded when needed: clients do not come with a server.
  const { WebSocketServer } = await import('ws')
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: options.maxMessageBytes ?? defaultMaxMessageBytes,
    maxFragments,
    perMessageDeflate: options.compression ?? false,
    handleProtocols: () => subprotocol,
    autoPong: false,
  })
  return new Attached(http, server, sockets, options)
}

class Attached implements AttachedWebSocket {
  readonly #http: HttpServer
  readonly #sockets: WsServer
  readonly #options: AttachWebSocketOptions
  readonly #connections: Connections
  readonly #channels = new Set<WebSocketChannel>()
  /** Requests that are being decided about. */
  readonly #arriving = new Set<Duplex>()
  #closing: Promise<void> | undefined

  constructor(http: HttpServer, server: AnyServer, sockets: WsServer, options: AttachWebSocketOptions) {
    this.#http = http
    this.#sockets = sockets
    this.#options = options
    this.#connections = new Connections(server)
    http.on('upgrade', this.#onUpgrade)
  }

  get connections(): number {
    return this.#connections.size
  }

  readonly #onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    if (pathOf(request) !== (this.#options.path ?? '/mcp')) {
      // Somebody else may be responsible for this path.
      if (this.#http.listenerCount('upgrade') > 1) return
      ignoreErrors(stream)
      sendRefusal(stream, { status: 404, message: 'Nothing here' })
      return
    }
    ignoreErrors(stream)
    void this.#decide(request, stream, head)
  }

  async #decide(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const refusal = this.#refuseCrowd() ?? refuseUpgrade(request, this.#options)
    if (refusal) return sendRefusal(stream, refusal)
    this.#arriving.add(stream)
    const decision = await this.#authenticate(request)
    this.#arriving.delete(stream)
    if (isRefusal(decision)) return sendRefusal(stream, decision)
    if (stream.destroyed || this.#closing) return void stream.destroy()
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      const channel = new WebSocketChannel(new WsWire(socket, stream), this.#options)
      this.#channels.add(channel)
      const stopWatching = this.#endWithToken(channel, request, decision.auth)
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

  /** Nothing asks for a token again once the connection is open, so it lasts no longer than the token. */
  #endWithToken(
    channel: WebSocketChannel,
    request: IncomingMessage,
    auth: AuthInfo | undefined,
  ): (() => void) | undefined {
    if (auth === undefined) return undefined
    return this.#options.auth?.watch?.(new UpgradeRequest(request), auth, () => {
      channel.farewell = { code: CloseCode.PolicyViolation, reason: 'The access token is no longer good' }
      void channel.close()
    })
  }

  async #authenticate(request: IncomingMessage): Promise<{ auth?: AuthInfo } | UpgradeRefusal> {
    const { auth, onError, path = '/mcp' } = this.#options
    if (!auth) return {}
    try {
      let found: Awaited<ReturnType<Authenticate>>
      const asking = (async () => {
        found = await auth(new UpgradeRequest(request), path)
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
    this.#http.off('upgrade', this.#onUpgrade)
    for (const stream of this.#arriving) stream.destroy()
    for (const channel of this.#channels)
      channel.farewell = { code: CloseCode.GoingAway, reason: 'The server is going away' }
    await this.#connections.close(this.#options.closeTimeoutMs ?? 5000)
  }
}

const isAuthInfo = (found: AuthInfo | AuthRefusal | undefined): found is AuthInfo =>
  typeof (found as AuthInfo | undefined)?.principal === 'string'

const isRefusal = (decision: { auth?: AuthInfo } | UpgradeRefusal): decision is UpgradeRefusal => 'status' in decision

/** Without a listener an error of a stream ends the process. */
function ignoreErrors(stream: Duplex): void {
  stream.on('error', () => {})
}
