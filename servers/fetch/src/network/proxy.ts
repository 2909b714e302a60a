import { type ClientRequest, request as httpRequest, type OutgoingHttpHeaders, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { ToolError } from '@tenon/sdk/server'
import { bareHost, portOf } from '@tenon/server-kit/network'

/** An HTTP proxy of the operator. It resolves names itself, so it has to keep private networks out of reach. */
export interface HttpProxy {
  readonly url: URL
}

/** Reads `--proxy-url`; anything but an http or https URL throws. */
export function readProxy(text: string): HttpProxy {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // The text is not repeated: it may have a password.
    throw new TypeError('expected the http or https URL of a proxy, such as http://proxy.example:3128')
  }
  return { url }
}

/** A plain request, which the proxy reads and forwards. */
export function proxiedRequest(
  proxy: HttpProxy,
  url: URL,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
): ClientRequest {
  const target = new URL(url)
  target.hash = ''
  return send(proxy, { path: target.href, headers: { host: url.host, ...headers, ...authorization(proxy) }, signal })
}

/** A TLS connection to the host of a URL through the proxy. */
export function openTunnel(proxy: HttpProxy, url: URL, signal: AbortSignal): Promise<Socket> {
  const target = `${url.hostname}:${portOf(url)}`
  const request = send(proxy, {
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...authorization(proxy) },
    signal,
  })
  return new Promise((resolve, reject) => {
    request.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket as Socket)
      socket.destroy()
      reject(new ToolError(`Failed to fetch ${url.href}: the proxy answered ${statusCode} to CONNECT ${target}`))
    })
    request.on('error', reject)
    request.end()
  })
}

/** Makes the tunnel a TLS connection, with the certificate of the site and not of the proxy. */
export function startTls(socket: Socket, url: URL, servername: string): TLSSocket {
  return connectTls({ socket, servername, host: bareHost(url) })
}

function send({ url }: HttpProxy, options: RequestOptions): ClientRequest {
  const common = { ...options, host: bareHost(url), port: portOf(url), agent: false }
  return url.protocol === 'https:' ? httpsRequest(common) : httpRequest(common)
}

function authorization({ url }: HttpProxy): OutgoingHttpHeaders {
  if (url.username === '') return {}
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}
