import type { IncomingMessage } from 'node:http'
import { McpError } from '../../errors.ts'
import { loopbackNames } from '../../http/hosts.ts'
import type { HttpRequest } from '../../http/request.ts'

/** One spelling of a resource: lower-case scheme and host, no trailing slash (auth.resource.no-trailing-slash). */
export function canonicalUrl(resource: string): string {
  if (!/^https?:\/\//i.test(resource) || !URL.canParse(resource)) return resource
  const { origin, pathname, search } = new URL(resource)
  return origin + pathname.replace(/\/$/, '') + search
}

/** A configured resource, in one spelling. */
export function resourceUrl(resource: string): string {
  if (!/^https?:\/\//i.test(resource) || !URL.canParse(resource) || resource.includes('#')) {
    throw new McpError(
      'invalid_definition',
      `resource: expected an http or https URL without a fragment, got ${JSON.stringify(resource)}`,
    )
  }
  return canonicalUrl(resource)
}

/**
 * The resource of a server on this machine, which is reached by the port it listens on. Nothing else can be derived
 * from a request: the sender of `Host` would choose the accepted tokens.
 */
export function localResource(request: HttpRequest, path: string): string | undefined {
  const host = request.header('host')
  const { socket } = request.raw as Partial<IncomingMessage>
  if (host === undefined || !request.onLoopback || socket === undefined || 'encrypted' in socket) return undefined
  const port = socket.localPort === 80 ? '' : `:${socket.localPort}`
  return loopbackNames.some((name) => name + port === host.toLowerCase())
    ? canonicalUrl(`http://${host}${path}`)
    : undefined
}
