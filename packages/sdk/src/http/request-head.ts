import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { parseTarget, type RequestTarget } from './request-target.ts'

/** The head of a request, as listeners use it. The raw target is not part of it. */
export interface RequestHead {
  readonly method: string
  readonly target: RequestTarget
  readonly headers: IncomingHttpHeaders
}

/**
 * Reads the head of a Node request. Undefined, which is a reason for 400, if it is ambiguous: the target is not in
 * normal form, or there is more than one `Host`.
 *
 * @example
 * const head = readHead(request)
 * if (head === undefined) return response.writeHead(400, { connection: 'close' }).end()
 */
export function readHead(request: IncomingMessage): RequestHead | undefined {
  const target = targetOf(request)
  if (target === undefined || repeatsHost(request)) return undefined
  return { method: request.method ?? 'GET', target, headers: request.headers }
}

/** The one place that reads the target of a Node request. */
export function targetOf(request: IncomingMessage & { originalUrl?: string }): RequestTarget | undefined {
  // A framework that mounts the handler cuts the beginning of the path off.
  return parseTarget(request.originalUrl ?? request.url ?? '')
}

/** Node keeps the first line of a header that may occur once, and hides the others. */
export function repeatsHost({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1
}
