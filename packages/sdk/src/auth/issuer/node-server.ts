import { createServer } from 'node:http'
import { guardRequests } from '../../http/guard-requests.ts'
import { httpServerHandle, portOf, shutDown, startListening } from '../../http-server/node/http-listener.ts'
import type { Issuer } from './issuer.ts'
import type { IssuerServer } from './serve-issuer.ts'

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
}

/** Listens first: where it listens may be what the issuer is called. */
export async function listenAsIssuer(
  where: { port: number; host: string },
  make: (url: string) => Issuer,
): Promise<IssuerServer> {
  let issuer: Issuer | undefined
  const http = createServer(
    limits,
    // It reports by itself; only what comes before there is an issuer is caught here.
    guardRequests(
      (request, response) => issuer!.handle(request, response),
      () => {},
    ),
  )
  await startListening(http, where)
  const port = portOf(http)
  const end = (): Promise<void> => shutDown(http, async () => {})
  try {
    issuer = make(`http://${where.host.includes(':') ? `[${where.host}]` : where.host}:${port}`)
  } catch (error) {
    await end()
    throw error
  }
  return { ...httpServerHandle(issuer.url, port, end), issuer }
}
