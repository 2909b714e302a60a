import type { Duplex } from 'node:stream'
import { matchesHost } from '../http/hosts.ts'
import type { RequestHead } from '../http/request-head.ts'
import { isLoopback } from '../socket/address.ts'
import { subprotocol } from './frame-socket.ts'

/** The reason to refuse a request for a WebSocket. */
export interface UpgradeRefusal {
  status: number
  /** Sent to the client. */
  message: string
  headers?: { [name: string]: string }
}

/** The clients that may connect. */
export interface UpgradePolicy {
  /**
   * Accepted values of the `Host` header, with or without a port; a page that had its own name point to this machine
   * (DNS rebinding) sends another. Default: the names of this machine for itself.
   */
  allowedHosts?: readonly string[]
  /**
   * Origins whose pages may connect, besides the server's own: a browser lets any page open a WebSocket to anywhere, with
   * the user's cookies. Clients that are not browsers send no origin.
   */
  allowedOrigins?: readonly string[]
}

/** The checks in their order, before anything is upgraded. */
export function refuseUpgrade(request: RequestHead, policy: UpgradePolicy): UpgradeRefusal | undefined {
  return refuseHost(request, policy) ?? refuseOrigin(request, policy) ?? refuseSubprotocol(request)
}

function refuseHost({ headers }: RequestHead, { allowedHosts }: UpgradePolicy): UpgradeRefusal | undefined {
  const host = headers.host?.toLowerCase() ?? ''
  const isAllowed = allowedHosts ? matchesHost(host, allowedHosts) : isLoopback(host.replace(/:\d+$/, ''))
  return isAllowed ? undefined : { status: 403, message: 'Host not allowed' }
}

function refuseOrigin({ headers }: RequestHead, { allowedOrigins = [] }: UpgradePolicy): UpgradeRefusal | undefined {
  const origin = headers.origin?.toLowerCase()
  if (origin === undefined || allowedOrigins.some((entry) => entry.toLowerCase() === origin)) return undefined
  const isOwn =
    origin === `http://${headers.host?.toLowerCase()}` || origin === `https://${headers.host?.toLowerCase()}`
  return isOwn ? undefined : { status: 403, message: 'Origin not allowed' }
}

function refuseSubprotocol({ headers }: RequestHead): UpgradeRefusal | undefined {
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? []
  if (offered.includes(subprotocol)) return undefined
  return { status: 400, message: `The subprotocol "${subprotocol}" must be offered` }
}

/** Answers a request for a WebSocket like any other HTTP request. */
export function sendRefusal(stream: Duplex, { status, message, headers = {} }: UpgradeRefusal): void {
  // Not imported, so that a bundle for browsers has nothing to resolve.
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  const fields = {
    ...headers,
    Connection: 'close',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(message)),
  }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, ' ')}\r\n`)
  const timer = setTimeout(() => stream.destroy(), 1000)
  stream.once('close', () => clearTimeout(timer))
  stream.once('finish', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n${head.join('')}\r\n${message}`)
}
