import { createServer, type Server as NodeServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { AnyServer } from '../server/server.ts'
import { Endpoint } from './endpoint.ts'
import { hostsOfAddress, loopbackNames } from './hosts.ts'
import { handlerOf } from './node-handler.ts'
import { defaultBodyTimeoutMs, type HttpOptions } from './options.ts'

export interface ServeHttpOptions extends HttpOptions {
  /** Default 0: any port that is free. */
  port?: number
  /** The address to listen on. Default `127.0.0.1`: nobody else on the network. */
  host?: string
  /** How long `close` lets requests in work finish. Default 5 s. */
  closeTimeoutMs?: number
  /** How long the headers of a request may take. Default 10 s. */
  headersTimeoutMs?: number
  /** Size of all headers of a request. Default 16 KiB. */
  maxHeaderBytes?: number
}

/** A server that listens. */
export interface HttpServer extends AsyncDisposable {
  /** Where the endpoint is. */
  readonly url: string
  readonly port: number
  /** Stops: what is in work may finish, within the bound, and everything else ends at once. */
  close(): Promise<void>
}

/**
 * Serves clients of every revision at one address.
 *
 * @example
 * const http = await serveHttp(server, { port: 3000 })
 * console.log(`listening on ${http.url}`)
 */
export async function serveHttp(server: AnyServer, options: ServeHttpOptions = {}): Promise<HttpServer> {
  const { host = '127.0.0.1', path = '/mcp', closeTimeoutMs = 5_000 } = options
  const settings = { ...options, path, allowedHosts: options.allowedHosts ?? ownHosts(host) }
  const endpoint = new Endpoint(server, settings)
  const http = createServer(limitsOf(options), handlerOf(endpoint, settings))
  await listen(http, options.port ?? 0, host)
  const { port } = http.address() as AddressInfo
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= shutDown(http, endpoint, closeTimeoutMs)
    return closing
  }
  return { url: `http://${urlHost(host)}:${port}${path}`, port, close, [Symbol.asyncDispose]: close }
}

const limitsOf = ({
  headersTimeoutMs = 10_000,
  maxHeaderBytes = 16 * 1024,
  bodyTimeoutMs = defaultBodyTimeoutMs,
}: ServeHttpOptions): object => ({
  maxHeaderSize: maxHeaderBytes,
  headersTimeout: headersTimeoutMs,
  // For bodies that nobody reads, because the request was refused; the others are timed more exactly.
  requestTimeout: headersTimeoutMs + bodyTimeoutMs + 1_000,
  connectionsCheckingInterval: Math.min(headersTimeoutMs, 5_000),
})

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'
const urlHost = (host: string): string => (isWildcard(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host)

/** The names under which a server that listens on an address is reached. */
function ownHosts(host: string): readonly string[] {
  if (!isWildcard(host)) return hostsOfAddress(host)
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return [...loopbackNames, hostname(), ...addresses.flatMap(({ address }) => hostsOfAddress(address))]
}

function listen(http: NodeServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, () => {
      http.off('error', reject)
      resolve()
    })
  })
}

async function shutDown(http: NodeServer, endpoint: Endpoint, closeTimeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  http.closeIdleConnections()
  await endpoint.close(closeTimeoutMs)
  http.closeIdleConnections()
  // Answers that are on their way get a moment to leave.
  const rest = setTimeout(() => http.closeAllConnections(), 200)
  await closed
  clearTimeout(rest)
}
