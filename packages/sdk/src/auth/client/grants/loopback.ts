import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpError } from '../../../errors.ts'
import { guardRequests } from '../../../http/guard-requests.ts'
import { type RequestHead, readHead } from '../../../http/request-head.ts'
import { assertPath, targetText } from '../../../http/request-target.ts'
import { builtin } from '../../../internal/builtin.ts'
import { OAuthError } from '../../oauth-error.ts'
import { sameSecret } from '../../same-secret.ts'
import type { Redirect, RedirectReceiver } from './authorization-code.ts'
import { type OpenBrowser, openBrowser as openSystemBrowser } from './open-browser.ts'

export interface LoopbackOptions {
  /** A fixed port, for clients whose redirect URI was registered with one. Any free port by default. */
  port?: number
  /** The path of the redirect URI. `/callback`. */
  path?: string
  /** Shows the page to the user: the browser of the system by default. */
  openBrowser?: OpenBrowser
  /** How long the user may take. 5 min. */
  timeoutMs?: number
  /**
   * Called for requests other than the redirect: to another path, or with another state. One with an unreadable address
   * is reported as one of `/`.
   */
  onStray?: (url: URL) => void
}

/** Waits for the user on this machine: a small HTTP server on 127.0.0.1 that answers once. */
export function loopbackRedirect(options: LoopbackOptions = {}): Redirect {
  return async (preferred) => {
    const http = builtin('node:http')
    if (http === undefined) throw new McpError('unsupported', 'There is no Node here to listen with: give `redirect`')
    const { path = '/callback' } = options
    assertPath(path, 'loopbackRedirect path')
    const server = http.createServer({ requestTimeout: 10_000, maxHeaderSize: 16_384 })
    const port = await listen(server, options.port, preferred)
    return new LoopbackReceiver(server, `http://127.0.0.1:${port}${path}`, options)
  }
}

/** A registered redirect URI names a port; where that is taken, another one has to be registered. */
async function listen(server: Server, fixed: number | undefined, preferred: string | undefined): Promise<number> {
  const wanted = fixed ?? (preferred === undefined ? 0 : Number(new URL(preferred).port))
  try {
    return await listenOn(server, wanted)
  } catch (error) {
    if (fixed !== undefined || wanted === 0) throw error
    return listenOn(server, 0)
  }
}

const listenOn = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

/** A receiver that waits for the redirect. */
interface Visit {
  readonly state: string | null
  back(url: URL): void
  failed(error: unknown): void
}

class LoopbackReceiver implements RedirectReceiver {
  readonly uri: string
  readonly #server: Server
  readonly #options: LoopbackOptions
  readonly #visits = new Set<Visit>()

  constructor(server: Server, uri: string, options: LoopbackOptions) {
    this.#server = server
    this.uri = uri
    this.#options = options
    const report = (error: unknown): void => {
      for (const visit of this.#visits) visit.failed(error)
    }
    server.on(
      'request',
      guardRequests((request, response) => this.#answer(request, response), report),
    )
  }

  async visit(page: URL, signal: AbortSignal): Promise<URL> {
    const { openBrowser = openSystemBrowser, timeoutMs = 5 * 60_000 } = this.#options
    let timer: ReturnType<typeof setTimeout> | undefined
    let stop: (() => void) | undefined
    try {
      return await new Promise<URL>((resolve, reject) => {
        const late = (): void =>
          reject(new OAuthError('authorization', `The user did not come back to ${this.uri} within ${timeoutMs} ms`))
        timer = setTimeout(late, timeoutMs)
        stop = () => reject(new McpError('cancelled', 'Nobody waits for the authorization any more'))
        signal.addEventListener('abort', stop, { once: true })
        this.#visits.add({ state: page.searchParams.get('state'), back: resolve, failed: reject })
        if (signal.aborted) stop()
        else Promise.resolve(page).then(openBrowser).catch(reject)
      })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop!)
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const head = readHead(request)
    const url = new URL(head === undefined ? '/' : targetText(head.target), this.uri)
    const visit = head && this.#visitOf(head, url)
    answer(response, visit !== undefined ? 200 : head === undefined ? 400 : 404)
    if (visit !== undefined) visit.back(url)
    else this.#stray(url)
  }

  /** The receiver of this request. Other pages can send requests here too, but do not know the state. */
  #visitOf({ method, headers }: RequestHead, url: URL): Visit | undefined {
    const own = new URL(this.uri)
    if (method !== 'GET' || headers.host !== own.host || url.pathname !== own.pathname) return undefined
    const state = url.searchParams.get('state')
    return [...this.#visits].find((visit) => isSame(state, visit.state))
  }

  #stray(url: URL): void {
    try {
      this.#options.onStray?.(url)
    } catch {
      // A listener does not decide.
    }
  }

  close(): void {
    this.#server.close()
    this.#visits.clear()
    // The page has been sent; browsers keep connections that are not needed any more.
    setTimeout(() => this.#server.closeAllConnections(), 250).unref()
  }
}

const csp = "default-src 'none'; script-src 'sha256-SCRIPT'; style-src 'unsafe-inline'; frame-ancestors 'none'"
const script = "history.replaceState(null,'','/');setTimeout(()=>window.close(),600)"
const scriptHash = (): string => builtin('node:crypto')!.createHash('sha256').update(script).digest('base64')

/** Nothing of the request is in the page, so nothing can be smuggled into it. */
function answer(response: ServerResponse, status: 200 | 400 | 404): void {
  const done = status === 200
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': csp.replace('SCRIPT', scriptHash()),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  })
  const text = done ? 'You can close this window and go back to the application.' : 'There is nothing here.'
  const closing = done ? `<script>${script}</script>` : ''
  response.end(
    `<!doctype html><meta charset="utf-8"><title>Authorization</title><body style="font:16px system-ui;margin:4rem">` +
      `<p>${text}</p>${closing}`,
  )
}

const isSame = (given: string | null, state: string | null): boolean =>
  given === null || state === null ? given === state : sameSecret(given, state)
