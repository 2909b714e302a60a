import { readFileSync } from 'node:fs'
import { type AgentOptions, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { rootCertificates, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { RequestProblem } from '../problem.ts'
import type { UrlSpec } from '../protocol.ts'

const tunnelTimeoutMs = 15_000
/** More than any file of certificates has. */
const maxCaLength = 4 * 1024 * 1024

type Connected = (error: Error | null, socket?: Socket) => void

interface Destination {
  host?: string
  port?: number | string
  servername?: string
}

/** The agent for requests to a server behind a proxy, or with a certificate of an authority of one's own. */
export function agentFor({ url, proxy, ca }: UrlSpec): HttpAgent | undefined {
  if (proxy === undefined && ca === undefined) return undefined
  const isSecure = new URL(url).protocol === 'https:'
  const authorities = ca === undefined ? undefined : [...rootCertificates, readAuthority(ca)]
  const options = { keepAlive: true, ...(authorities && { ca: authorities }) }
  if (proxy !== undefined) return tunnelAgent(new URL(proxy), isSecure, options)
  return isSecure ? new HttpsAgent(options) : new HttpAgent({ keepAlive: true })
}

function readAuthority(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new RequestProblem(`The certificate authority ${path} cannot be read: ${(error as Error).message}`)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----') && text.length <= maxCaLength) return text
  throw new RequestProblem(`${path} has no certificate`, 'Expected a file in PEM format: -----BEGIN CERTIFICATE-----')
}

function tunnelAgent(proxy: URL, isSecure: boolean, options: AgentOptions & { ca?: string[] }): HttpAgent {
  const Base = isSecure ? HttpsAgent : HttpAgent
  class TunnelAgent extends Base {
    // Node takes the socket of the callback: a tunnel takes a while to be made.
    override createConnection(destination: object, connected?: (...result: never[]) => void): never {
      const tell = connected as unknown as Connected
      const { host = '', port = isSecure ? 443 : 80, servername } = destination as Destination
      openTunnel(proxy, `${host.includes(':') ? `[${host}]` : host}:${port}`, (error, socket) => {
        if (socket === undefined || !isSecure) return tell(error, socket)
        const secured: TLSSocket = tlsConnect({
          socket,
          servername: servername ?? host,
          ...(options.ca && { ca: options.ca }),
        })
        secured.once('secureConnect', () => tell(null, secured)).once('error', tell)
      })
      return undefined as never
    }
  }
  return new TunnelAgent(options)
}

/** Asks a proxy for a connection to an address, which it then passes bytes through. */
function openTunnel(proxy: URL, address: string, connected: Connected): void {
  const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest
  const { hostname, port } = proxy
  const request = send({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : port,
    method: 'CONNECT',
    path: address,
    headers: { host: address },
    agent: false,
    timeout: tunnelTimeoutMs,
  })
  const fail = (why: string): void => connected(new Error(`The proxy ${proxy.host} ${why}`))
  request
    .once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return connected(null, socket)
      socket.destroy()
      fail(`refused a connection to ${address} with ${statusCode}`)
    })
    .once('timeout', () => request.destroy(new Error('no answer in time')))
    .once('error', (error) => fail(`cannot be used: ${error.message}`))
    .end()
}
