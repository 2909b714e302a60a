import { createServer } from 'node:http'
import type { AnyServer } from '../server/server.ts'
import { Endpoint } from './endpoint.ts'
import { httpServerHandle, portOf, servePlan, shutDown, startListening, urlOf } from './node/http-listener.ts'
import { guardedListener } from './node/node-handler.ts'
import type { HttpOptions } from './options.ts'

export interface ServeHttpOptions extends HttpOptions {
  /** Default 0: any port that is free. */
  port?: number
  /** The address to listen on. Default `127.0.0.1`: nobody else on the network. */
  host?: string
  /** How long `close` lets requests in flight finish. Default 5 s. */
  closeTimeoutMs?: number
  /** How long the headers of a request may take. Default 10 s. */
  headersTimeoutMs?: number
  /** Size of all headers of a request. Default 16 KiB. */
  maxHeaderBytes?: number
  /**
   * Answers requests of stateless revisions in this many processes of `node:cluster`; sessions and their streams stay
   * in the first process, whichever of the others a client reaches. Default: one process does it all.
   *
   * The script that calls `serveHttp` runs once more in each of them, and has to call it there too: code that must run
   * only once belongs behind `cluster.isPrimary`. Memory of tools, and limits such as `maxInFlight`, are per process.
   * Notifications such as `server.resources.changed(uri)` reach the clients of all processes. `auth` runs in the process
   * that answers, which for sessions does not see the address of the client. A worker that dies is replaced, and
   * reported to `onError`.
   */
  workers?: number
}

/** A server that listens. */
export interface HttpServer extends AsyncDisposable {
  /** Where the endpoint is. */
  readonly url: string
  readonly port: number
  /**
   * Stops: requests in flight may finish, within the bound, and everything else ends at once. With `workers`, it ends
   * them too; called in a worker, it ends the process of that worker and no other.
   */
  close(): Promise<void>
}

/**
 * Serves clients of every revision at one address.
 *
 * @example
 * const http = await serveHttp(server, { port: 3000 })
 * console.log(`listening on ${http.url}`)
 *
 * @example
 * import cluster from 'node:cluster'
 * const http = await serveHttp(server, { port: 3000, workers: 4 })                      // runs in five processes
 * if (cluster.isPrimary) console.log(`listening on ${http.url}`)
 */
export async function serveHttp(server: AnyServer, options: ServeHttpOptions = {}): Promise<HttpServer> {
  const plan = servePlan(options)
  if (options.workers !== undefined && options.workers !== 0) {
    const { serveWithWorkers } = await import('./workers/serve-with-workers.ts')
    return serveWithWorkers(server, plan, options.workers)
  }
  const endpoint = new Endpoint(server, plan.options)
  const http = createServer(plan.limits, guardedListener(endpoint, plan.options))
  await startListening(http, { port: plan.port, host: plan.host })
  const port = portOf(http)
  return httpServerHandle(urlOf(plan, port), port, () => shutDown(http, () => endpoint.close(plan.closeTimeoutMs)))
}
