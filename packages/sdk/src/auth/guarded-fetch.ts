import type { Agent } from 'node:http'
import type { LookupFunction } from 'node:net'
import { McpError } from '../errors.ts'
import type { Engine, OutgoingHttpRequest, ReplyHead } from '../http-client/engines/engine.ts'
import { fetchEngine } from '../http-client/engines/fetch-engine.ts'
import { nodeEngine } from '../http-client/engines/node-engine.ts'
import { builtin } from '../internal/builtin.ts'
import { type Reach, reachOfHost } from './address.ts'
import type { OAuthPurpose, OnOAuthRequest } from './watched-request.ts'

/** Bounds of the requests for authorization: addresses, time and size. */
export interface NetworkOptions {
  /** Used instead of the built-in HTTP client. It resolves names itself, so only addresses in URLs are checked then. */
  fetch?: typeof fetch
  /** On Node: the authorities to trust instead of the built-in ones, as PEM; and whether certificates are checked at all. */
  tls?: { ca?: string[]; rejectUnauthorized?: boolean }
  /** Lets servers on the internet send this client to addresses that only this network can reach. False. */
  allowPrivateNetwork?: boolean
  /** Allows plain http to hosts other than this machine. False. */
  allowInsecureHttp?: boolean
  /** 10 s for each request. */
  timeoutMs?: number
  /** 256 Ki for each document. */
  maxBytes?: number
  /** Within one origin. 3. */
  maxRedirects?: number
}

interface GuardedRequest {
  method: 'GET' | 'POST'
  url: URL
  headers?: { [name: string]: string }
  body?: string
  signal?: AbortSignal
  /** Requests with a purpose are reported to `onRequest`. */
  purpose?: OAuthPurpose
}

interface GuardedReply {
  /** The URL after redirects. */
  url: URL
  status: number
  text: string
  header(name: string): string | undefined
  fields: ReplyHead['fields']
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Sends requests to addresses that a server named: only http and https, https unless it is this machine, nothing private
 * for a server on the internet (sec.ssrf.*), redirects within the origin, and bounded in size and time.
 */
export class GuardedFetch {
  readonly #server: URL
  readonly #serverReach: Reach
  readonly #options: NetworkOptions
  readonly #onRequest: OnOAuthRequest | undefined

  constructor(server: URL, options: NetworkOptions = {}, onRequest?: OnOAuthRequest) {
    this.#server = server
    this.#serverReach = reachOfHost(server.hostname)
    this.#options = options
    this.#onRequest = onRequest
  }

  /** The same for addresses that another server names. */
  for(server: URL): GuardedFetch {
    return new GuardedFetch(server, this.#options, this.#onRequest)
  }

  /** Why a URL is refused; undefined if it is not. The addresses of a name are checked when it is connected to. */
  refusal(url: URL): string | undefined {
    const { protocol, hostname, username, password } = url
    if (protocol !== 'http:' && protocol !== 'https:') return `expected an http or https URL, got ${protocol}`
    if (username !== '' || password !== '') return 'the URL contains credentials'
    const reach = reachOfHost(hostname)
    if (protocol === 'http:' && reach !== 'loopback' && !this.#options.allowInsecureHttp) {
      return 'plain http is for this machine only (network.allowInsecureHttp allows more)'
    }
    return this.#refusalOf(reach, hostname)
  }

  async send(request: GuardedRequest): Promise<GuardedReply> {
    const { purpose, method, url, headers = {}, body, signal } = request
    if (purpose === undefined || this.#onRequest === undefined) return this.#follow(request)
    const tell = await this.#onRequest({ purpose, method, url: url.href, headers, body, signal })
    let reply: GuardedReply
    try {
      reply = await this.#follow(request)
    } catch (error) {
      tell?.(error as Error)
      throw error
    }
    tell?.({ url: reply.url.href, status: reply.status, headers: recordOf(reply.fields), text: reply.text })
    return reply
  }

  async #follow(request: GuardedRequest): Promise<GuardedReply> {
    const { timeoutMs = 10_000, maxRedirects = 3 } = this.#options
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout])
    let { url } = request
    for (let hops = 0; ; hops += 1) {
      const refusal = this.refusal(url)
      if (refusal !== undefined) throw new McpError('unauthorized', `${url.origin} is not asked: ${refusal}`)
      const reply = await this.#once({ ...request, url, signal }, timeoutMs)
      const location = redirects.has(reply.status) ? reply.header('location') : undefined
      if (location === undefined) return reply
      if (hops >= maxRedirects) throw new McpError('unauthorized', `${request.url.href} redirects too often`)
      url = redirected(request.method, url, location)
    }
  }

  /** The same with the types of the platform. */
  readonly fetch = async (url: string, init: RequestInit, purpose?: OAuthPurpose): Promise<Response> => {
    const { status, text, header } = await this.send({
      method: init.method === 'POST' ? 'POST' : 'GET',
      url: new URL(url),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body != null && { body: String(init.body) }),
      ...(init.signal && { signal: init.signal }),
      ...(purpose !== undefined && { purpose }),
    })
    const headers = new Headers()
    for (const name of ['content-type', 'cache-control', 'www-authenticate', 'dpop-nonce', 'retry-after']) {
      const value = header(name)
      if (value !== undefined) headers.set(name, value)
    }
    return new Response(status === 204 || status === 304 ? null : text, { status, headers })
  }

  #refusalOf(reach: Reach, host: string): string | undefined {
    // The client talks to this host anyway.
    if (reach === 'public' || host === this.#server.hostname || this.#options.allowPrivateNetwork) return undefined
    if (this.#serverReach !== 'public' && reach !== 'link-local') return undefined
    return `${host} is a ${reach} address (network.allowPrivateNetwork allows it)`
  }

  #once(request: GuardedRequest, connectTimeoutMs: number): Promise<GuardedReply> {
    const { url, signal } = request
    const engine = this.#engine(url, connectTimeoutMs)
    const { maxBytes = 256 * 1024 } = this.#options
    return new Promise<GuardedReply>((resolve, reject) => {
      let head: ReplyHead | undefined
      let size = 0
      const chunks: Uint8Array[] = []
      const fail = (error: Error): void => {
        sent.abort()
        reject(error)
      }
      const stop = (): void => {
        const timedOut = (signal!.reason as Error | undefined)?.name === 'TimeoutError'
        const why = timedOut ? `${url.origin} did not answer in time` : 'Nobody waits for this any more'
        fail(new McpError(timedOut ? 'timeout' : 'cancelled', why, { cause: signal!.reason }))
      }
      const reader = {
        head: (found: ReplyHead) => {
          head = found
        },
        chunk: (bytes: Uint8Array) => {
          size += bytes.length
          chunks.push(bytes)
          if (size > maxBytes) fail(new McpError('unauthorized', `${url.href} is larger than ${maxBytes} bytes`))
        },
        end: () => {
          const { status, header, fields } = head!
          resolve({ url, status, text: textOf(chunks), header, fields })
        },
        broken: reject,
      }
      const sent = engine.send(toHttpRequest(request), reader)
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted) stop()
    }).finally(() => engine.close())
  }

  #engine(url: URL, connectTimeoutMs: number): Engine {
    const { fetch, tls } = this.#options
    if (fetch !== undefined) return fetchEngine(fetch)
    const secure = url.protocol === 'https:'
    const http = builtin(secure ? 'node:https' : 'node:http')
    const agent = http && new http.Agent({ ...tls, lookup: this.#lookup } as ConstructorParameters<typeof Agent>[0])
    return nodeEngine(secure, { connectTimeoutMs, ...(agent && { agent }) }) ?? fetchEngine()
  }

  /** Checks the addresses of a name at the moment of connecting: a second look-up could be answered differently. */
  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    builtin('node:dns')!.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '')
        return
      }
      const refusal = addresses
        .map(({ address }) =>
          this.#refusalOf(hostname === this.#server.hostname ? 'public' : reachOfHost(address), address),
        )
        .find((found) => found !== undefined)
      if (refusal !== undefined) callback(new Error(`${hostname} is not asked: ${refusal}`), '')
      else if (options.all) callback(null, addresses)
      else callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
}

/**
 * A `fetch` for URLs that strangers name in a document, a token or a request, so that they cannot reach the network of this
 * machine. `server` is the one that names them: its own host is allowed, and a server of a private network may name others there.
 *
 * @example
 * const fetch = guardFetch('https://id.example.com', { maxRedirects: 0 })
 * const document = await fetch(clientId, { headers: { accept: 'application/json' } })
 */
export function guardFetch(
  server: string | URL,
  options: NetworkOptions = {},
): (url: string, init?: RequestInit) => Promise<Response> {
  const guarded = new GuardedFetch(new URL(server), options)
  return (url, init = {}) => guarded.fetch(url, init)
}

function redirected(method: string, from: URL, location: string): URL {
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined
  const refuse = (why: string): McpError => new McpError('unauthorized', `${from.href} ${why}`)
  if (method !== 'GET') throw refuse('redirects what was posted')
  if (to === undefined) throw refuse('redirects to what is no URL')
  // One origin must not decide about the content of another.
  if (to.origin !== from.origin) throw refuse(`redirects to another origin, ${to.origin}`)
  return to
}

function toHttpRequest({ method, url, headers = {}, body }: GuardedRequest): OutgoingHttpRequest {
  return { method, url, headers, repeatable: method === 'GET', ...(body !== undefined && { body }) }
}

const recordOf = (fields: ReplyHead['fields'] = {}): { [name: string]: string } =>
  Object.fromEntries(
    (fields instanceof Headers ? [...fields] : Object.entries(fields)).map(([name, value]) => [
      name,
      [value ?? ''].flat().join(', '),
    ]),
  )

function textOf(chunks: Uint8Array[]): string {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
}
