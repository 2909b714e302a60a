import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isToolError, ToolError } from '@tenon/sdk/server'
import { allowedAddresses, type NetworkPolicy, portOf, type Resolve } from '@tenon/server-kit/network'
import { forwardRequest, openTunnel, type Route } from './forward.ts'

export interface ProxyRules {
  readonly policy: NetworkPolicy
  readonly resolve: Resolve
}

/** Hears of a place that the proxy did not connect to, and why. */
export type Refused = (url: URL, reason: string) => void

/** The right to use the proxy, until it is revoked. */
export interface Admission extends Disposable {
  readonly username: string
  readonly password: string
}

const maxConnections = 1_000

/**
 * The only way out for Chromium: a forward proxy on loopback. It resolves the name of every request, checks each address
 * and connects to those that were checked, so that neither redirects nor a second answer of the name server lead past the
 * rules. Pages, workers, WebSockets, downloads and Chromium's own requests have no other way. It asks for credentials:
 * other programs on the machine have no use of it.
 */
export class FilterProxy {
  readonly #rules: () => ProxyRules
  readonly #server: Server
  readonly #guests = new Map<string, Refused>()
  readonly #sockets = new Set<Duplex>()

  private constructor(rules: () => ProxyRules) {
    this.#rules = rules
    this.#server = createServer((request, response) => void this.#forward(request, response))
    this.#server.maxConnections = maxConnections
    this.#server.on('connect', (request, socket, head) => void this.#tunnel(request, socket, head))
    this.#server.on('upgrade', (_request, socket) => socket.destroy())
    this.#server.on('connection', (socket: Socket) => this.#track(socket))
  }

  static async start(rules: () => ProxyRules): Promise<FilterProxy> {
    const proxy = new FilterProxy(rules)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Lets a client in. Each has credentials of its own, so that a refusal is told to the one that it concerns. */
  admit(refused: Refused): Admission {
    const username = randomBytes(8).toString('hex')
    const password = randomBytes(24).toString('hex')
    const key = basic(username, password)
    this.#guests.set(key, refused)
    return { username, password, [Symbol.dispose]: () => void this.#guests.delete(key) }
  }

  /** Ends the connections that stand: they were allowed by other rules. */
  disconnect(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.disconnect()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = this.#guestOf(request)
    if (refused === undefined) return void response.writeHead(407, challenge).end()
    // A request that is not for a proxy comes from something else than our Chromium.
    const url = /^http:\/\//i.test(request.url ?? '') && URL.canParse(request.url!) ? new URL(request.url!) : undefined
    if (url === undefined) return void response.writeHead(400).end()
    const route = await this.#route(url, refused)
    if (route === undefined)
      return void response.writeHead(403, { connection: 'close', 'content-type': 'text/plain' }).end(refusalText)
    forwardRequest(route, request, response, (reason) => refused(url, reason))
  }

  async #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#track(socket)
    const refused = this.#guestOf(request)
    if (refused === undefined) return void socket.end(challengeText)
    const target = `https://${request.url}/`
    const url = URL.canParse(target) ? new URL(target) : undefined
    if (url === undefined || url.pathname !== '/') return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    const route = await this.#route(url, refused)
    if (route === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    openTunnel(route, socket, head, (reason) => refused(url, reason))
  }

  /** The checked addresses of a URL; undefined if it is refused, which is told. */
  async #route(url: URL, refused: Refused): Promise<Route | undefined> {
    if (chromiumServices.has(url.hostname)) return undefined
    const { policy, resolve } = this.#rules()
    try {
      const addresses = await allowedAddresses(url, resolve, policy)
      // A server that may open private addresses must not be led to this proxy.
      if (portOf(url) === this.port && addresses.some(({ address }) => loopback.test(address))) {
        throw new ToolError(`Refused to fetch ${url.href}: it is a port of this server`)
      }
      return { url, addresses }
    } catch (error) {
      refused(url, isToolError(error) ? error.message : `Failed to fetch ${url.href}`)
      return undefined
    }
  }

  #guestOf({ headers }: IncomingMessage): Refused | undefined {
    return this.#guests.get(headers['proxy-authorization'] ?? '')
  }

  #track(socket: Duplex): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }
}

/** Chromium asks them by itself, with the structure of forms that it sees, for example. No page needs them. */
const chromiumServices = new Set([
  'content-autofill.googleapis.com',
  'optimizationguide-pa.googleapis.com',
  'update.googleapis.com',
])

const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

const challenge = { 'proxy-authenticate': 'Basic realm="tenon"' }
const challengeText =
  'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="tenon"\r\nContent-Length: 0\r\n\r\n'
const refusalText = 'Refused by the rules of this browser.\n'
const loopback = /^127\.|^::1$|^::ffff:127\.|^0\.0\.0\.0$|^::$/
