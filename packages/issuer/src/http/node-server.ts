import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { guardRequests } from '@tenon/sdk/node'
import type { Issuer } from '../issuer.ts'
import type { IssuerServer } from '../serve-issuer.ts'

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
}

/** Listens first, because the port may be a part of the issuer's URL. */
export async function listenAsIssuer(
  where: { port: number; host: string },
  make: (url: string) => Issuer,
): Promise<IssuerServer> {
  let issuer: Issuer | undefined
  const http = createServer(
    limits,
    // The issuer reports by itself; this catches requests that come before it exists.
    guardRequests(
      (request, response) => issuer!.handle(request, response),
      () => {},
    ),
  )
  http.listen(where)
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= shutDown(http)
    return closing
  }
  try {
    issuer = make(`http://${where.host.includes(':') ? `[${where.host}]` : where.host}:${port}`)
  } catch (error) {
    await close()
    throw error
  }
  return { url: issuer.url, port, issuer, close, [Symbol.asyncDispose]: close }
}

async function shutDown(http: Server): Promise<void> {
  const closed = once(http, 'close')
  http.close()
  // Responses on their way get a moment to leave.
  const rest = setTimeout(() => http.closeAllConnections(), 200)
  await closed
  clearTimeout(rest)
}
