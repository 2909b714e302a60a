import { McpError } from '@tenon/sdk/auth/server'
import type { HttpServer } from '@tenon/sdk/node'
import { isLoopbackHost } from './http/loopback.ts'
import { type Issuer, issuer } from './issuer.ts'
import type { IssuerOptions } from './options.ts'

export interface ServeIssuerOptions extends Omit<IssuerOptions, 'url'> {
  /** Default: where it listens, on this machine. */
  url?: string
  /** Default 0: any port that is free. */
  port?: number
  /** The address to listen on. Default `127.0.0.1`: this machine only. */
  host?: string
}

/** An authorization server that listens. */
export interface IssuerServer extends HttpServer {
  readonly issuer: Issuer
}

/**
 * Runs an authorization server on Node.
 *
 * @example
 * const as = await serveIssuer({ port: 4000, users: [{ subject: 'ada', name: 'Ada' }] })
 * await serveHttp(server, { port: 3000, auth: bearer({ issuer: as.url }) })
 */
export async function serveIssuer({
  port = 0,
  host = '127.0.0.1',
  ...options
}: ServeIssuerOptions = {}): Promise<IssuerServer> {
  const isForMachine = options.signIn === undefined && options.upstream === undefined
  if (isForMachine && !isLoopbackHost(host)) {
    throw new McpError('invalid_definition', 'host: expected this machine, as there is no signIn to tell users apart')
  }
  const { listenAsIssuer } = await import('./http/node-server.ts')
  return listenAsIssuer({ port, host }, (listening) => issuer({ ...options, url: options.url ?? listening }))
}
