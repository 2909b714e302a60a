import type { LookupAddress } from 'node:dns'
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { bareHost, pinnedLookup, portOf } from '@tenon/server-kit/network'
import { type HttpProxy, openTunnel, proxiedRequest, startTls } from './proxy.ts'

export interface GetOptions {
  url: URL
  headers: { [name: string]: string }
  /** The connection goes to one of these, and nowhere else. */
  addresses: readonly LookupAddress[]
  proxy: HttpProxy | undefined
  /** Longest time until the connection stands, TLS included. */
  connectTimeoutMs: number
  signal: AbortSignal
}

/** Raised when the connection does not stand in time. */
export class ConnectTimeout extends Error {}

/** Sends one GET, follows nothing, and resolves with the response before its body. */
export async function httpGet(options: GetOptions): Promise<IncomingMessage> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new ConnectTimeout()), options.connectTimeoutMs)
  const signal = AbortSignal.any([options.signal, late.signal])
  try {
    const request = await startRequest({ ...options, signal })
    return await responseOf(request, options.url, () => clearTimeout(timer))
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

async function startRequest({ url, headers, addresses, proxy, signal }: GetOptions): Promise<ClientRequest> {
  const secure = url.protocol === 'https:'
  if (proxy !== undefined && !secure) return proxiedRequest(proxy, url, headers, signal)
  const host = bareHost(url)
  const common: RequestOptions = {
    host,
    port: portOf(url),
    path: url.pathname + url.search,
    headers: { host: url.host, ...headers },
    // A connection of its own: one that is reused would have been checked for another request.
    agent: false,
    signal,
    lookup: pinnedLookup(addresses),
  }
  if (!secure) return httpRequest(common)
  const socket = proxy && (await openTunnel(proxy, url, signal))
  const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : ''
  if (socket === undefined) return httpsRequest({ ...common, servername })
  // An agent would make a connection of its own, past the proxy.
  return httpsRequest({ ...common, agent: undefined, createConnection: () => startTls(socket, url, servername) })
}

function responseOf(request: ClientRequest, url: URL, connected: () => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.once('response', resolve)
    request.once('socket', (socket) => {
      if (!socket.connecting) connected()
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected)
    })
    request.end()
  })
}
