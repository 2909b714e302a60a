import type { LookupAddress } from 'node:dns'
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { bareHost, pinnedLookup, portOf } from '@tenon/server-kit/network'

/** A target whose addresses were checked: the connection goes to one of them, and nowhere else. */
export interface Route {
  readonly url: URL
  readonly addresses: readonly LookupAddress[]
}

const connectTimeoutMs = 10_000
/** Headers that belong to one connection and not to the message. */
const hopByHop = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)

/** Sends a plain HTTP request on, and its response back. */
export function forwardRequest(
  { url, addresses }: Route,
  request: IncomingMessage,
  response: ServerResponse,
  failed: (reason: string) => void,
): void {
  const outgoing = httpRequest({
    host: bareHost(url),
    port: portOf(url),
    method: request.method,
    path: url.pathname + url.search,
    headers: { ...passedOn(request), host: url.host },
    // A connection of its own: one that is reused would have been checked for another request.
    agent: false,
    lookup: pinnedLookup(addresses),
  })
  const timer = setTimeout(() => outgoing.destroy(new Error('no connection in time')), connectTimeoutMs)
  outgoing.once('socket', (socket) => socket.once('connect', () => clearTimeout(timer)))
  outgoing.once('response', (incoming) => {
    response.writeHead(incoming.statusCode!, incoming.statusMessage, passedOn(incoming))
    pipeline(incoming, response, () => {})
  })
  outgoing.on('error', (error) => {
    clearTimeout(timer)
    // The page went elsewhere, which is no failure.
    if (response.closed) return
    failed(failureOf(url, error))
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { connection: 'close', 'content-type': 'text/plain' }).end('There was no answer.\n')
  })
  response.once('close', () => outgoing.destroy())
  pipeline(request, outgoing, () => {})
}

/** Connects, and passes bytes both ways: TLS and WebSockets. */
export function openTunnel(
  { url, addresses }: Route,
  client: Duplex,
  head: Buffer,
  failed: (reason: string) => void,
): void {
  const target = connect({ host: bareHost(url), port: portOf(url), lookup: pinnedLookup(addresses) })
  target.setTimeout(connectTimeoutMs, () => target.destroy(new Error('no connection in time')))
  let stands = false
  target.once('connect', () => {
    stands = true
    target.setTimeout(0)
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    target.write(head)
    client.pipe(target).pipe(client)
  })
  target.on('error', (error) => {
    if (stands) return client.destroy()
    failed(failureOf(url, error))
    client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  target.once('close', () => client.destroy())
  client.once('close', () => target.destroy())
}

const failureOf = (url: URL, error: Error): string =>
  `Failed to fetch ${url.href}: ${(error as NodeJS.ErrnoException).code ?? error.message}`

/** The headers of a message without those of its connection; a header that comes twice stays so. */
function passedOn({ rawHeaders, headers }: IncomingMessage): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/)
  const kept = new Map<string, string[]>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (hopByHop.has(name) || named.includes(name) || name === 'host') continue
    kept.set(name, [...(kept.get(name) ?? []), rawHeaders[at + 1]!])
  }
  return Object.fromEntries([...kept].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]))
}
