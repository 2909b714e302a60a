import type { IncomingMessage, ServerResponse } from 'node:http'
import { guardRequests } from '../../http/guard-requests.ts'
import { checkKinds } from '../../options/check-kinds.ts'
import type { AnyServer } from '../../server/server.ts'
import { Endpoint } from '../endpoint.ts'
import { defaultMaxBufferedBytes, defaultUnreadTimeoutMs, type HttpOptions, httpKinds } from '../options.ts'
import { NodeReply } from './node-reply.ts'
import { NodeRequest } from './node-request.ts'
import { SendBuffers } from './send-buffers.ts'

/** Answers requests of `node:http`, or of a framework on top of it. */
export interface NodeHandler extends AsyncDisposable {
  /** The third argument is the body, where it was parsed already; a function there (Express) is ignored. */
  (request: IncomingMessage, response: ServerResponse, body?: unknown): void
  /** Ends sessions and streams; requests in flight get `graceMs` to finish. */
  close(graceMs?: number): Promise<void>
}

/**
 * Makes a handler to be mounted into an existing server.
 *
 * @example
 * app.all(['/mcp', '/sse'], nodeHandler(server))                                        // Express
 * const handler = nodeHandler(server)
 * app.all('/mcp', (request, reply) => {                                                 // Fastify
 *   reply.hijack()
 *   handler(request.raw, reply.raw, request.body)
 * })
 */
export function nodeHandler(server: AnyServer, given: HttpOptions = {}): NodeHandler {
  const options = checkKinds(given, httpKinds, 'nodeHandler', 'invalid_argument')
  const endpoint = new Endpoint(server, options)
  return Object.assign(guardedListener(endpoint, options), {
    close: (graceMs?: number) => endpoint.close(graceMs),
    [Symbol.asyncDispose]: () => endpoint.close(),
  })
}

export function guardedListener(
  endpoint: Endpoint,
  options: HttpOptions,
  buffers: SendBuffers = sendBuffersOf(endpoint, options),
): (request: IncomingMessage, response: ServerResponse, body?: unknown) => void {
  const handle = (request: IncomingMessage, response: ServerResponse, body?: unknown): void => {
    const given = typeof body === 'function' ? undefined : body
    const parsed = given ?? (request as { body?: unknown }).body
    endpoint.handle(new NodeRequest(request, parsed), new NodeReply(response, buffers))
  }
  return guardRequests(handle, (error) => endpoint.report(error))
}

export const sendBuffersOf = (
  { budget }: Endpoint,
  { maxBufferedBytes = defaultMaxBufferedBytes, unreadTimeoutMs = defaultUnreadTimeoutMs }: HttpOptions,
): SendBuffers => new SendBuffers({ maxBufferedBytes, unreadTimeoutMs, budget })
