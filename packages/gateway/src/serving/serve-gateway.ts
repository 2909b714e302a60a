import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { guardRequests, type HttpOptions, type HttpServer, readHead } from '@tenon/sdk/node'
import type { Gateway } from '../gateway.ts'
import { Endpoints } from './endpoints.ts'
import { refuseOpenDoor } from './open-door.ts'

export interface ServeGatewayOptions extends Omit<HttpOptions, 'path' | 'sse' | 'auth' | 'health'> {
  /** Default: that of the configuration, or any port that is free. */
  readonly port?: number
  /** Default: that of the configuration, or `127.0.0.1`: nobody else on the network. */
  readonly host?: string
  /** How long `close` lets requests in flight finish. Default 10 s. */
  readonly closeTimeoutMs?: number
}

const headersTimeoutMs = 10_000

/**
 * Serves a gateway at one address: all upstreams at `/mcp`, each virtual server at `/servers/NAME/mcp`, and `/healthz` and
 * `/readyz` for orchestrators. On an address that other machines reach, callers have to prove who they are: without that it
 * throws an `OpenDoorError`, now and when the gateway is to take a configuration that asks nobody.
 *
 * @example
 * await using http = await serveGateway(gateway, { port: 8080 })
 * console.log(http.url)
 */
export async function serveGateway(gateway: Gateway, options: ServeGatewayOptions = {}): Promise<HttpServer> {
  const { listen = {} } = gateway.config
  const { port = listen.port ?? 0, host = listen.host ?? '127.0.0.1', closeTimeoutMs = 10_000, ...http } = options
  refuseOpenDoor(host, gateway)
  const stopChecks = gateway.beforeChange((parts) => refuseOpenDoor(host, parts))
  const { allowedHosts, allowedOrigins } = listen
  const endpoints = new Endpoints(gateway, {
    ...(allowedHosts && { allowedHosts }),
    ...(allowedOrigins && { allowedOrigins }),
    ...http,
  })
  let isClosing = false
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = readHead(request)?.target.path
    if (path === undefined) response.writeHead(400, { connection: 'close' }).end()
    else if (path === '/healthz') answerProbe(response, true)
    else if (path === '/readyz') void isReady(gateway).then((ready) => answerProbe(response, ready && !isClosing))
    else if (gateway.parts.handles?.(path)) {
      gateway.parts.handle?.(request, response).catch((error: unknown) => gateway.report(error, 'http'))
    } else endpoints.answer(path, request, response)
  }
  const server = createServer(
    { headersTimeout: headersTimeoutMs, maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 5_000 },
    guardRequests(answer, (error) => gateway.report(error, 'http')),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  }).catch((error: unknown) => {
    stopChecks()
    throw error
  })
  const { port: taken } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= (async () => {
      isClosing = true
      stopChecks()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await endpoints.close(closeTimeoutMs)
      server.closeIdleConnections()
      // The last answers get a moment to leave.
      const rest = setTimeout(() => server.closeAllConnections(), 200)
      await closed
      clearTimeout(rest)
    })()
    return closing
  }
  return { url: `http://${urlHost(host)}:${taken}/mcp`, port: taken, close, [Symbol.asyncDispose]: close }
}

/** A gateway can take requests unless an upstream is down that must not be missing, or the state that it shares. */
async function isReady(gateway: Gateway): Promise<boolean> {
  const { upstreams } = gateway.config
  const isMissing = gateway
    .status()
    .some(({ name, state }) => state === 'down' && upstreams[name]?.failure === 'closed')
  return !isMissing && ((await gateway.parts.shared?.ready()) ?? true)
}

function answerProbe(response: ServerResponse, isFine: boolean): void {
  response.writeHead(isFine ? 200 : 503, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
  response.end(isFine ? 'ok\n' : 'not ready\n')
}

const urlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
