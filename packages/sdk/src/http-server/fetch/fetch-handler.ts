import { checkKinds } from '../../options/check-kinds.ts'
import type { AnyServer } from '../../server/server.ts'
import { Endpoint } from '../endpoint.ts'
import { defaultMaxBufferedBytes, type HttpOptions, httpKinds } from '../options.ts'
import { FetchReply } from './fetch-reply.ts'
import { FetchRequest } from './fetch-request.ts'

/** Answers requests of the Fetch standard. */
export interface FetchHandler extends AsyncDisposable {
  (request: Request): Promise<Response>
  /** Ends sessions and streams; requests in flight get `graceMs` to finish. */
  close(graceMs?: number): Promise<void>
}

/**
 * Makes a handler for runtimes and frameworks that speak `Request` and `Response`.
 *
 * @example
 * export default { fetch: fetchHandler(server) }              // Workers, Bun, Deno
 * app.all('/mcp', (c) => handler(c.req.raw))                  // Hono
 */
export function fetchHandler(server: AnyServer, given: HttpOptions = {}): FetchHandler {
  const options = checkKinds(given, httpKinds, 'fetchHandler', 'invalid_argument')
  const endpoint = new Endpoint(server, options)
  const { maxBufferedBytes = defaultMaxBufferedBytes } = options
  const handle = (request: Request): Promise<Response> => {
    const reply = new FetchReply(request, maxBufferedBytes, endpoint.budget)
    endpoint.handle(new FetchRequest(request), reply)
    return reply.response
  }
  return Object.assign(handle, {
    close: (graceMs?: number) => endpoint.close(graceMs),
    [Symbol.asyncDispose]: () => endpoint.close(),
  })
}
