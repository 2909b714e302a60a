import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { McpError } from '../errors.ts'
import { guardListener } from '../internal/guard-listener.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import { maxServerMessageBytes } from '../jsonrpc/limits.ts'
import { urlAddress } from '../transport/url-address.ts'
import { WebSocketChannel, type WebSocketLimits } from './channel.ts'
import { subprotocol } from './frame-socket.ts'
import { PlatformSocket, type WebSocketConstructor } from './platform-socket.ts'
import { UpgradeRefused } from './upgrade-refused.ts'
import { WsSocket } from './ws-socket.ts'

export interface WebSocketOptions extends WebSocketLimits {
  /** Sent with the request for the connection; not possible in browsers. */
  headers?: { [name: string]: string }
  /** Default: 10,000. */
  connectTimeoutMs?: number
  /** Aborts the attempt to connect. */
  signal?: AbortSignal
  /** Replaces the platform's own `WebSocket`. */
  WebSocket?: WebSocketConstructor
}

type BoundedOptions = WebSocketOptions & { maxMessageBytes: number }

/** An attempt to connect: its outcome, and a way to abort it. */
interface Attempt {
  opened: Promise<Opened>
  abandon(): void
}

interface Opened {
  channel: WebSocketChannel
  protocol: string
}

/**
 * Connects to a server by WebSocket, with the platform's own if there is one.
 *
 * @example await using client = await connect(() => webSocketChannel('wss://example.com/mcp'))
 */
export async function webSocketChannel(url: string | URL, given: WebSocketOptions = {}): Promise<Channel> {
  const options = { ...given, maxMessageBytes: given.maxMessageBytes ?? maxServerMessageBytes }
  const target = webSocketUrl(url)
  const where = `${target.origin === 'null' ? `${target.protocol}//${target.host}` : target.origin}${target.pathname}`
  const { signal } = options
  if (signal?.aborted) throw cancelled(where, signal)
  const attempt = await begin(target, where, options)
  const { channel, protocol } = await bounded(attempt, where, options)
  channel.about = { transport: 'websocket', ...urlAddress(target) }
  if (protocol === subprotocol) return channel
  await channel.close()
  throw new McpError('negotiation', `${where} did not agree to the subprotocol "${subprotocol}": is it an MCP server?`)
}

function webSocketUrl(url: string | URL): URL {
  if (!URL.canParse(url)) throw new McpError('invalid_argument', `url: expected a ws: or wss: URL, got ${url}`)
  const target = new URL(url)
  if (target.protocol === 'http:') target.protocol = 'ws:'
  else if (target.protocol === 'https:') target.protocol = 'wss:'
  target.hash = ''
  if (target.protocol === 'ws:' || target.protocol === 'wss:') return target
  throw new McpError('invalid_argument', `url: expected a ws: or wss: URL, got one that starts with ${target.protocol}`)
}

async function begin(url: URL, where: string, options: BoundedOptions): Promise<Attempt> {
  const own = options.WebSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket
  if (own && !options.headers) return withPlatform(own, url, where, options)
  if (options.WebSocket)
    throw new McpError('invalid_argument', 'headers: cannot be sent by the WebSocket that was given')
  return withWs(url, where, options)
}

function withPlatform(WebSocket: WebSocketConstructor, url: URL, where: string, limits: WebSocketLimits): Attempt {
  const socket = new WebSocket(url.href, [subprotocol])
  const opened = new Promise<Opened>((resolve, reject) => {
    socket.addEventListener('open', () => {
      // Created synchronously: the first messages may arrive before a promise resolves.
      resolve({ channel: new WebSocketChannel(new PlatformSocket(socket), limits), protocol: socket.protocol })
    })
    // The platform hides the reason from pages.
    const why = 'check the URL, that the server is running, and that it allows this origin'
    socket.addEventListener('error', () => reject(notConnected(where, why)))
    socket.addEventListener('close', () => reject(notConnected(where, why)))
  })
  return { opened, abandon: () => socket.close() }
}

async function withWs(url: URL, where: string, options: BoundedOptions): Promise<Attempt> {
  // Loaded lazily: browsers never get here.
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(url, [subprotocol], {
    headers: options.headers ?? {},
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
    autoPong: false,
  })
  const opened = new Promise<Opened>((resolve, reject) => {
    let stream: Duplex | undefined
    socket.on('upgrade', (response: IncomingMessage) => {
      stream = response.socket
    })
    socket.on('open', () => {
      resolve({ channel: new WebSocketChannel(new WsSocket(socket, stream!), options), protocol: socket.protocol })
    })
    const refuse = (_request: unknown, response: IncomingMessage): void => {
      reject(refused(where, response))
      socket.terminate()
    }
    socket.on('unexpected-response', guardListener(refuse, { report: reject }))
    socket.on('error', (error: NodeJS.ErrnoException) => reject(notConnected(where, explain(url, error), error)))
  })
  return { opened, abandon: () => socket.terminate() }
}

async function bounded(
  { opened, abandon }: Attempt,
  where: string,
  { connectTimeoutMs = 10_000, signal }: WebSocketOptions,
): Promise<Opened> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let onAbort: (() => void) | undefined
  const given = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new McpError('timeout', `No connection to ${where} within ${connectTimeoutMs} ms`))
    }, connectTimeoutMs)
    onAbort = () => reject(cancelled(where, signal!))
    signal?.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([opened, given])
  } catch (error) {
    abandon()
    // An aborted attempt may still fail.
    opened.then(({ channel }) => channel.close()).catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort!)
  }
}

const cancelled = (where: string, signal: AbortSignal): McpError =>
  new McpError('cancelled', `Connecting to ${where} was cancelled`, { cause: signal.reason })

const notConnected = (where: string, why: string, cause?: Error): McpError =>
  new McpError('closed', `Cannot connect to ${where}: ${why}`, { cause })

function refused(where: string, { statusCode = 0, statusMessage, headers }: IncomingMessage): McpError {
  const problem = `Cannot connect to ${where}: the server refused with ${statusCode} ${statusMessage}`
  return new UpgradeRefused(problem, statusCode, (name) => headers[name]?.toString())
}

function explain(url: URL, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'nobody listens there; check host and port, and that the server is running'
    case 'ENOTFOUND':
      return 'there is no such host'
    case 'EPROTO':
      return `the server does not speak TLS on this port; try ws://${url.host}${url.pathname}`
    default:
      return error.message
  }
}
