import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Route = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** A web site on this machine, and the requests that reached it. */
export interface Site extends AsyncDisposable {
  readonly origin: string
  readonly port: number
  readonly requests: { path: string; headers: IncomingMessage['headers'] }[]
  /** The paths that were requested, without robots.txt. */
  paths(): string[]
}

/** Starts a site; texts are HTML pages, and paths without a route are 404. */
export async function startSite(routes: { [path: string]: Route }, host = '127.0.0.1', port = 0): Promise<Site> {
  const known = new Map(Object.entries(routes))
  const requests: Site['requests'] = []
  const answer: RequestListener = (request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const route = known.get(path.split('?')[0]!)
    if (typeof route === 'function') return route(request, response)
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(route)
  }
  const server = createServer(answer)
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, host, resolve))
  const { port: taken } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${taken}`,
    port: taken,
    requests,
    paths: () => requests.map(({ path }) => path).filter((path) => path !== '/robots.txt'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const redirect =
  (location: string, status = 302): Route =>
  (_request, response) =>
    void response.writeHead(status, { location }).end()
