import { createServer, type ListenOptions, type Server as NetServer, type Socket } from 'node:net'
import { ErrorCode, McpError } from '../errors.ts'
import { guardListener } from '../internal/guard-listener.ts'
import { withinMs } from '../internal/timers.ts'
import type { Receiver } from '../jsonrpc/channel.ts'
import { checkLimits } from '../options/check-limits.ts'
import type { AnyServer } from '../server/server.ts'
import { encodeLine } from '../transport/lines/lines.ts'
import { isLoopback, loopback, type SocketAddress } from './address.ts'
import { SocketChannel, type SocketChannelOptions } from './channel.ts'
import { Connections } from './connections.ts'
import { withoutForeigners } from './foreign.ts'

export interface ServeSocketOptions extends SocketChannelOptions {
  /** Clients at once; more are refused. Default: 256. */
  maxConnections?: number
  /** Required to listen on an address that other machines can reach: clients are not authenticated. Default: false. */
  allowRemote?: boolean
  /** How long `close` waits for requests in flight; default: 5000. */
  closeTimeoutMs?: number
  /** Receives errors of the listener. */
  onError?: (error: Error) => void
}

/** A server that listens on a socket. */
export interface SocketServer extends AsyncDisposable {
  /** The address in use; `port` is the real one if 0 was given. */
  readonly address: { path: string } | { host: string; port: number }
  /** The number of connected clients. */
  readonly connections: number
  /** Accepts no more clients, finishes requests in flight, and ends, in bounded time. */
  close(): Promise<void>
}

/**
 * Serves any number of clients on a Unix socket, which only its owner can use, or on a TCP port of this machine.
 *
 * @example
 * await using listening = await serveSocket(server, { path: '/run/user/1000/tables.sock' })
 */
export async function serveSocket(
  server: AnyServer,
  address: SocketAddress,
  options: ServeSocketOptions = {},
): Promise<SocketServer> {
  checkLimits(options, 'serveSocket')
  const connections = new Connections(server)
  const { maxConnections = 256, closeTimeoutMs = 5000, onError } = options
  const take = (socket: Socket): void => {
    if (connections.size >= maxConnections) turnAway(socket, maxConnections)
    else connections.serve(new ServedSocketChannel(socket, options), { transport: 'socket' })
  }
  const guard = {
    report: (error: unknown) => onError?.(error instanceof Error ? error : new Error(String(error))),
    answer: (socket: Socket) => void socket.on('error', () => {}).destroy(),
  }
  const listener = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, guardListener(take, guard))
  await listen(listener, address, options.allowRemote ?? false)
  listener.on('error', (error) => onError?.(error))
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= closeAll(listener, connections, closeTimeoutMs)
    return closing
  }
  return {
    address: addressOf(listener, address),
    get connections() {
      return connections.size
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

class ServedSocketChannel extends SocketChannel {
  override open(receiver: Receiver): void {
    const reason = new McpError('closed', 'The first line was not a message')
    super.open(withoutForeigners(receiver, () => this.abort(reason)))
  }
}

async function listen(listener: NetServer, address: SocketAddress, allowRemote: boolean): Promise<void> {
  if ('path' in address) {
    // A client needs none of this, and the modules below it take long to load.
    const { listenOnFile } = await import('./unix-file.ts')
    return await listenOnFile(listener, address.path)
  }
  const host = address.host ?? loopback
  if (!allowRemote && !isLoopback(host))
    throw new McpError('invalid_argument', `host: ${host} can be reached by others; set allowRemote if that is meant`)
  await listenOnPort(listener, { port: address.port, host })
}

function listenOnPort(listener: NetServer, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(taken ? new McpError('invalid_argument', `port: ${where.port} is in use`, { cause: error }) : error)
    })
    listener.listen(where, () => {
      listener.removeAllListeners('error')
      resolve()
    })
  })
}

function addressOf(listener: NetServer, asked: SocketAddress): { path: string } | { host: string; port: number } {
  const bound = listener.address()
  return bound === null || typeof bound === 'string'
    ? { path: (asked as { path: string }).path }
    : { host: bound.address, port: bound.port }
}

/** Sends the reason before closing. There is no request to answer yet, so the error has no id. */
function turnAway(socket: Socket, limit: number): void {
  const message = `Too many connections (the limit is ${limit})`
  const timer = setTimeout(() => socket.destroy(), 1000)
  socket.on('error', () => {})
  socket.on('close', () => clearTimeout(timer))
  socket.resume()
  socket.end(encodeLine({ jsonrpc: '2.0', error: { code: ErrorCode.InternalError, message } }))
}

async function closeAll(listener: NetServer, connections: Connections, limitMs: number): Promise<void> {
  // This also removes the file of a Unix socket.
  const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
  await connections.close(limitMs)
  await withinMs(1000, closed)
}
