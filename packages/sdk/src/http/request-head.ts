import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { parseTarget, type RequestTarget } from './request-target.ts'

/** The first lines of a request: all that listeners go by. The target as it was written is not among them. */
export interface RequestHead {
  readonly method: string
  readonly target: RequestTarget
  readonly headers: IncomingHttpHeaders
}

/**
 * Reads the first lines of a request of Node. Undefined, which is a reason for 400, if they can be understood in two ways:
 * the target is not in normal form, or there is more than one `Host`.
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

/** The one place where the target of a request of Node is read. */
export function targetOf(request: IncomingMessage & { originalUrl?: string }): RequestTarget | undefined {
  // Where a framework mounted the handler, it cut the beginning of the path off.
  return parseTarget(request.originalUrl ?? request.url ?? '')
}

/** Node keeps the first line of a name that may stand once, and says nothing about the others. */
export function repeatsHost({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1
}
