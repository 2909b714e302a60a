import { connect, type Socket } from 'node:net'
import { McpError } from '../errors.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import { maxServerMessageBytes } from '../jsonrpc/limits.ts'
import { loopback, type SocketAddress, showAddress } from './address.ts'
import { SocketChannel, type SocketChannelOptions } from './channel.ts'

export interface SocketOptions extends SocketChannelOptions {
  /** Default: 10,000. */
  connectTimeoutMs?: number
  /** Aborts the attempt to connect. */
  signal?: AbortSignal
}

/**
 * Connects to a server that listens on a Unix or TCP socket.
 *
 * @example
 * await using client = await connect(() => socketChannel({ path: '/run/user/1000/tables.sock' }))
 */
export async function socketChannel(address: SocketAddress, options: SocketOptions = {}): Promise<Channel> {
  const about =
    'path' in address ? { address: address.path } : { address: address.host ?? loopback, port: address.port }
  const limits = { ...options, maxLineBytes: options.maxLineBytes ?? maxServerMessageBytes }
  return new SocketChannel(await openSocket(address, options), limits, { transport: 'socket', ...about })
}

function openSocket(address: SocketAddress, options: SocketOptions): Promise<Socket> {
  const { connectTimeoutMs = 10_000, signal } = options
  if (signal?.aborted) return Promise.reject(cancelled(address, signal))
  return new Promise((resolve, reject) => {
    const socket = connect({ ...withHost(address), allowHalfOpen: true, noDelay: true, keepAlive: true })
    const settle = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      socket.off('error', onError).off('connect', onConnect)
    }
    const fail = (error: McpError): void => {
      settle()
      socket.on('error', () => {})
      socket.destroy()
      reject(error)
    }
    const onConnect = (): void => {
      settle()
      resolve(socket)
    }
    const onError = (error: Error): void => fail(notConnected(address, error))
    const onAbort = (): void => fail(cancelled(address, signal!))
    const timer = setTimeout(() => {
      fail(new McpError('timeout', `No connection to ${showAddress(address)} within ${connectTimeoutMs} ms`))
    }, connectTimeoutMs)
    signal?.addEventListener('abort', onAbort)
    socket.on('error', onError)
    socket.on('connect', onConnect)
  })
}

const withHost = (address: SocketAddress): { path: string } | { port: number; host: string } =>
  'path' in address ? { path: address.path } : { port: address.port, host: address.host ?? loopback }

const cancelled = (address: SocketAddress, signal: AbortSignal): McpError =>
  new McpError('cancelled', `Connecting to ${showAddress(address)} was cancelled`, { cause: signal.reason })

function notConnected(address: SocketAddress, error: NodeJS.ErrnoException): McpError {
  return new McpError('closed', `Cannot connect to ${showAddress(address)}: ${explain(address, error)}`, {
    cause: error,
  })
}

function explain(address: SocketAddress, { code, message }: NodeJS.ErrnoException): string {
  const isPath = 'path' in address
  switch (code) {
    case 'ENOENT':
      return 'there is no such socket; check the path, and that the server is running'
    case 'ECONNREFUSED':
      return isPath
        ? 'nobody listens on this socket any more; check that the server is running'
        : 'nobody listens on this port; check the port, and that the server is running'
    case 'EACCES':
      return 'permission denied; the socket belongs to another user'
    case 'ENOTFOUND':
      return 'there is no such host'
    default:
      return message
  }
}
