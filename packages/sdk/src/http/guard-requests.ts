import type { IncomingMessage, ServerResponse } from 'node:http'
import { guardListener } from '../internal/guard-listener.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'

type RequestListener = (request: IncomingMessage, response: ServerResponse, body?: unknown) => unknown

/** A listener of HTTP requests that never throws: a failing request is answered with 500. */
export const guardRequests = (
  listener: RequestListener,
  report: (error: unknown) => void,
): ((request: IncomingMessage, response: ServerResponse, body?: unknown) => MaybePromise<void>) =>
  guardListener<Parameters<RequestListener>>(listener, { report, answer: (_request, response) => fail(response) })

/** A response that has begun cannot become another one, so it is cut off. */
function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(500, { connection: 'close' }).end()
}
