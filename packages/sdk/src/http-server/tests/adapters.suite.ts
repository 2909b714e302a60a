import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { fetchHandler } from '../fetch/fetch-handler.ts'
import { type ServeHttpOptions, serveHttp } from '../serve-http.ts'
import type { Serve } from './http.suite.ts'

/** Every way to reach an endpoint: all of them have to behave alike. */
export const adapters: [name: string, serve: Serve][] = [
  [
    'node',
    async (server, options) => {
      const http = await serveHttp(server, { closeTimeoutMs: 200, ...options })
      const origin = new URL(http.url).origin
      return {
        fetch: (path, init) => {
          const headers = new Headers(init?.headers)
          return headers.has('host') ? fetchWithHost(origin + path, init, headers) : fetch(origin + path, init)
        },
        close: () => http.close(),
      }
    },
  ],
  [
    'fetch',
    async (server, given) => {
      const { closeTimeoutMs = 200, ...options } = (given ?? {}) as ServeHttpOptions
      const handler = fetchHandler(server, { path: '/mcp', allowedHosts: ['localhost', '127.0.0.1'], ...options })
      return {
        fetch: (path, init) =>
          handler(new Request(`http://127.0.0.1${path}`, { duplex: 'half', ...init } as RequestInit)),
        close: () => handler.close(closeTimeoutMs),
      }
    },
  ],
]

/** The built-in `fetch` chooses `Host` itself. */
function fetchWithHost(url: string, init: RequestInit | undefined, headers: Headers): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = { method: init?.method ?? 'GET', headers: Object.fromEntries(headers), agent: false }
    const request = httpRequest(url, options, (response) => {
      const body = Readable.toWeb(response) as ReadableStream<Uint8Array>
      resolve(new Response(body, { status: response.statusCode!, headers: response.headers as HeadersInit }))
    })
    request.on('error', reject)
    request.end(init?.body)
  })
}
