import type { Server as NodeServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { McpError } from '../../errors.ts'
import { hostsOfAddress, loopbackNames } from '../../http/hosts.ts'
import { checkKinds, type OptionKinds } from '../../options/check-kinds.ts'
import { defaultBodyTimeoutMs, type HttpOptions, httpKinds } from '../options.ts'
import type { HttpServer, ServeHttpOptions } from '../serve-http.ts'

/** The address and the limits of a server, with all defaults. */
export interface ServePlan {
  readonly port: number
  readonly host: string
  readonly path: string
  readonly closeTimeoutMs: number
  /** For `createServer` of Node. */
  readonly limits: object
  /** For the endpoint. */
  readonly options: HttpOptions
}

const optionKinds: OptionKinds<ServeHttpOptions> = {
  ...httpKinds,
  port: 'number',
  host: 'string',
  closeTimeoutMs: 'number',
  headersTimeoutMs: 'number',
  maxHeaderBytes: 'number',
  workers: 'any',
}

export function servePlan(given: ServeHttpOptions): ServePlan {
  const options = checkKinds(given, optionKinds, 'serveHttp', 'invalid_argument')
  const { port = 0, host = '127.0.0.1', path = '/mcp', closeTimeoutMs = 5_000 } = options
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new McpError('invalid_argument', `serveHttp port: expected an integer from 0 to 65535, got ${port}`)
  }
  const allowedHosts = options.allowedHosts ?? ownHosts(host)
  return { port, host, path, closeTimeoutMs, limits: limitsOf(options), options: { ...options, path, allowedHosts } }
}

const limitsOf = ({
  headersTimeoutMs = 10_000,
  maxHeaderBytes = 16 * 1024,
  bodyTimeoutMs = defaultBodyTimeoutMs,
}: ServeHttpOptions): object => ({
  maxHeaderSize: maxHeaderBytes,
  headersTimeout: headersTimeoutMs,
  // For the unread bodies of refused requests; the others are timed more exactly.
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

export const urlOf = ({ host, path }: ServePlan, port: number): string => `http://${urlHost(host)}:${port}${path}`

export const portOf = (http: NodeServer): number => (http.address() as AddressInfo).port

/** Listens at a port of a host, or at a path. */
export function startListening(
  http: NodeServer,
  where: { port: number; host: string } | { path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(where, () => {
      http.off('error', reject)
      resolve()
    })
  })
}

/** Takes no new connections, waits for the work, and ends the remaining connections. */
export async function shutDown(http: NodeServer, endWork: () => Promise<unknown>): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  http.closeIdleConnections()
  await endWork()
  http.closeIdleConnections()
  // The last answers get a moment to leave.
  const rest = setTimeout(() => http.closeAllConnections(), 200)
  await closed
  clearTimeout(rest)
}

/** The handle of a server; closing it twice is closing it once. */
export function httpServerHandle(url: string, port: number, end: () => Promise<void>): HttpServer {
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= end()
    return closing
  }
  return { url, port, close, [Symbol.asyncDispose]: close }
}
