import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { builtin } from '../../builtin.ts'
import { McpError } from '../../errors.ts'
import { OAuthError } from '../oauth-error.ts'
import { sameSecret } from '../same-secret.ts'
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
  /** Told of visits that are not the user's way back: to another path, or with another state. */
  onStray?: (url: URL) => void
}

/** Waits for the user on this machine: a small HTTP server on 127.0.0.1 that answers once. */
export function loopbackRedirect(options: LoopbackOptions = {}): Redirect {
  return async (preferred) => {
    const http = builtin('node:http')
    if (http === undefined) throw new McpError('unsupported', 'There is no Node here to listen with: give `redirect`')
    const { path = '/callback' } = options
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

class LoopbackReceiver implements RedirectReceiver {
  readonly uri: string
  readonly #server: Server
  readonly #options: LoopbackOptions

  constructor(server: Server, uri: string, options: LoopbackOptions) {
    this.#server = server
    this.uri = uri
    this.#options = options
  }

  visit(page: URL, signal: AbortSignal): Promise<URL> {
    const { openBrowser = openSystemBrowser, timeoutMs = 5 * 60_000, onStray } = this.#options
    const state = page.searchParams.get('state')
    return new Promise<URL>((resolve, reject) => {
      const late = (): void =>
        reject(new OAuthError('authorization', `The user did not come back to ${this.uri} within ${timeoutMs} ms`))
      const timer = setTimeout(late, timeoutMs)
      const stop = (): void => reject(new McpError('cancelled', 'Nobody waits for the authorization any more'))
      signal.addEventListener('abort', stop, { once: true })
      this.#server.on('request', (request, response) => {
        const back = this.#takes(request, state)
        answer(response, back !== undefined)
        if (back === undefined) {
          if (URL.canParse(request.url ?? '', this.uri)) onStray?.(new URL(request.url!, this.uri))
          return
        }
        clearTimeout(timer)
        resolve(back)
      })
      if (signal.aborted) stop()
      else Promise.resolve(page).then(openBrowser).catch(reject)
    })
  }

  /** The URL of the user's way back. Other pages can send requests here too, but do not know the state. */
  #takes({ method, url = '', headers }: IncomingMessage, state: string | null): URL | undefined {
    const own = new URL(this.uri)
    if (method !== 'GET' || headers.host !== own.host || !url.startsWith('/')) return undefined
    const back = new URL(url, own)
    return back.pathname === own.pathname && isSame(back.searchParams.get('state'), state) ? back : undefined
  }

  close(): void {
    this.#server.close()
    // The page has been sent; browsers keep connections that nobody needs any more.
    setTimeout(() => this.#server.closeAllConnections(), 250).unref()
  }
}

const csp = "default-src 'none'; script-src 'sha256-SCRIPT'; style-src 'unsafe-inline'; frame-ancestors 'none'"
const script = "history.replaceState(null,'','/');setTimeout(()=>window.close(),600)"
const scriptHash = (): string => builtin('node:crypto')!.createHash('sha256').update(script).digest('base64')

/** Nothing of the request is in the page, so nothing can be smuggled into it. */
function answer(response: ServerResponse, done: boolean): void {
  response.writeHead(done ? 200 : 404, {
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
