import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpError } from '../errors.ts'
import { guardRequests } from '../http/guard-requests.ts'
import { readHead } from '../http/request-head.ts'
import { withinMs } from '../internal/timers.ts'
import type { AnyServer } from '../server/server.ts'
import { isLoopback, loopback } from '../socket/address.ts'
import { type AttachedWebSocket, type AttachWebSocketOptions, attachWebSocket } from './attach.ts'
import { UpgradeRequest } from './upgrade-request.ts'

/** An address to listen on, or a listening HTTP server. */
export type WebSocketAddress = { port: number; host?: string; path?: string } | { server: HttpServer; path?: string }

export type ServeWebSocketOptions = Omit<AttachWebSocketOptions, 'path'>

/** A server that listens for WebSockets. */
export interface WebSocketServer extends AttachedWebSocket {
  /** The URL for clients, if it listens by itself. */
  readonly url: string | undefined
}

/**
 * Serves any number of clients by WebSocket, on this machine unless a host is given.
 *
 * @example
 * await using listening = await serveWebSocket(server, { port: 3001 })
 */
export async function serveWebSocket(
  server: AnyServer,
  address: WebSocketAddress,
  options: ServeWebSocketOptions = {},
): Promise<WebSocketServer> {
  const { path = '/mcp' } = address
  if ('server' in address) {
    const attached = await attachWebSocket(address.server, server, { ...options, path })
    return served(attached, undefined, () => attached.close())
  }
  const { port, host = loopback } = address
  if (!isLoopback(host) && !options.allowedHosts)
    throw new McpError('invalid_argument', `host: ${host} can be reached by others; set allowedHosts to its names`)
  const http = plainServer(options, path)
  const attached = await attachWebSocket(http, server, { ...options, path })
  await listen(http, port, host)
  http.on('error', (error) => options.onError?.(error))
  return served(attached, urlOf(http, path), () => closeBoth(http, attached))
}

function served(attached: AttachedWebSocket, url: string | undefined, close: () => Promise<void>): WebSocketServer {
  let closing: Promise<void> | undefined
  const closeOnce = (): Promise<void> => {
    closing ??= close()
    return closing
  }
  return {
    url,
    get connections() {
      return attached.connections
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  }
}

function plainServer({ auth, onError }: ServeWebSocketOptions, path: string): HttpServer {
  // Not imported, so that a bundle for browsers has nothing to resolve.
  const { createServer } = process.getBuiltinModule('node:http')
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const head = readHead(request)
    if (head === undefined) return void response.writeHead(400, { connection: 'close' }).end()
    // Metadata about authorization is public: clients without a token need it.
    const open = auth?.answerAnybody?.(new UpgradeRequest(request, head.target), path)
    if (open !== undefined) response.writeHead(open.status, { ...open.headers, connection: 'close' }).end(open.body)
    else response.writeHead(426, { Upgrade: 'websocket', Connection: 'close' }).end('This is a WebSocket')
  }
  return createServer(
    { headersTimeout: 10_000, requestTimeout: 10_000 },
    guardRequests(answer, (error) => onError?.(error)),
  )
}

function listen(http: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(taken ? new McpError('invalid_argument', `port: ${port} is in use`, { cause: error }) : error)
    })
    http.listen(port, host, () => {
      http.removeAllListeners('error')
      resolve()
    })
  })
}

function urlOf(http: HttpServer, path: string): string {
  const { address, port, family } = http.address() as AddressInfo
  return `ws://${family === 'IPv6' ? `[${address}]` : address}:${port}${path}`
}

async function closeBoth(http: HttpServer, attached: AttachedWebSocket): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  await attached.close()
  http.closeAllConnections()
  await withinMs(1000, closed)
}
