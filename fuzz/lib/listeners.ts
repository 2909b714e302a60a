import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInspector } from '../../packages/inspector/src/inspector.ts'
import { serveIssuer } from '../../packages/issuer/src/serve-issuer.ts'
import { loopbackRedirect } from '../../packages/sdk/src/auth/client/grants/loopback.ts'
import { bearer } from '../../packages/sdk/src/auth/resource/bearer.ts'
import { serveHttp } from '../../packages/sdk/src/http-server/serve-http.ts'
import { tool } from '../../packages/sdk/src/server/features/tool.ts'
import { createServer, type Server } from '../../packages/sdk/src/server/server.ts'
import { serveWebSocket } from '../../packages/sdk/src/websocket/serve.ts'
import { talk } from './raw-socket.ts'
import { assert, show } from './target.ts'

/** A request, and its expected status. */
export interface Ask {
  verb: string
  path: string
  headers: string[]
  body?: string
  status: number
}

/** Code of ours that listens for HTTP. */
export interface Listener {
  name: string
  start(): Promise<Listening>
}

export interface Listening {
  port: number
  /** Requests in their usual spelling; the first of them shows that the listener is alive. */
  asks: Ask[]
  /** Everything reported to the operator, which should be nothing. */
  reported: unknown[]
  close(): Promise<unknown>
}

export const serverToTry = (): Server =>
  createServer({
    name: 'tried',
    version: '1',
    tools: [tool({ name: 'echo', input: { type: 'object' }, run: () => 'echo' })],
  })

const json = 'Content-Type: application/json'
const both = 'Accept: application/json, text/event-stream'
const modern = [json, both, 'Mcp-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/list']
const list =
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'

/** An endpoint, with and without tokens. */
const server: Listener = {
  name: 'server',
  async start() {
    const http = await serveHttp(serverToTry())
    return {
      port: http.port,
      reported: [],
      close: () => http.close(),
      asks: [
        { verb: 'POST', path: '/mcp', headers: modern, body: list, status: 200 },
        { verb: 'GET', path: '/sse', headers: ['Accept: text/event-stream'], status: 200 },
        { verb: 'POST', path: '/other', headers: modern, body: list, status: 404 },
      ],
    }
  },
}

const guardedServer: Listener = {
  name: 'bearer',
  async start() {
    const http = await serveHttp(serverToTry(), {
      auth: bearer({ issuer: 'https://id.example.com', failures: false }),
    })
    const metadata = '/.well-known/oauth-protected-resource'
    return {
      port: http.port,
      reported: [],
      close: () => http.close(),
      asks: [
        { verb: 'GET', path: `${metadata}/mcp`, headers: [], status: 200 },
        { verb: 'GET', path: metadata, headers: [], status: 200 },
        { verb: 'POST', path: '/mcp', headers: modern, body: list, status: 401 },
        { verb: 'GET', path: '/sse', headers: ['Accept: text/event-stream'], status: 401 },
      ],
    }
  },
}

const issuer: Listener = {
  name: 'issuer',
  async start() {
    const reported: unknown[] = []
    const as = await serveIssuer({ rateLimits: false, onError: (error) => reported.push(error) })
    const form = 'Content-Type: application/x-www-form-urlencoded'
    return {
      port: as.port,
      reported,
      close: () => as.close(),
      asks: [
        { verb: 'GET', path: '/.well-known/oauth-authorization-server', headers: [], status: 200 },
        { verb: 'GET', path: '/jwks', headers: [], status: 200 },
        { verb: 'POST', path: '/introspect', headers: [form], body: 'token=x', status: 401 },
        { verb: 'GET', path: '/other', headers: [], status: 404 },
      ],
    }
  },
}

const loopback: Listener = {
  name: 'loopback',
  async start() {
    const receiver = await loopbackRedirect({ openBrowser: () => {} })(undefined)
    const ended = new AbortController()
    const waiting = receiver.visit(new URL('https://as.example/authorize?state=right'), ended.signal)
    waiting.catch(() => {})
    return {
      port: Number(new URL(receiver.uri).port),
      reported: [],
      async close() {
        ended.abort()
        await receiver.close()
      },
      asks: [
        { verb: 'GET', path: '/callback?code=x&state=wrong', headers: [], status: 404 },
        { verb: 'GET', path: '/callback?code=x&state=right', headers: [], status: 200 },
        { verb: 'GET', path: '/', headers: [], status: 404 },
      ],
    }
  },
}

/** Has the cookie, which browsers send to every port of a host, but not the key. */
const workbench: Listener = {
  name: 'workbench',
  async start() {
    const reported: unknown[] = []
    const { url, close } = await startWorkbench(reported)
    const { port, search, host } = new URL(url)
    const place = { port: Number(port) }
    const admitted = await talk(place, [
      Buffer.from(`GET /${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    ])
    const [, cookie] = /set-cookie: ([^;]+)/i.exec(admitted) ?? []
    assert(cookie !== undefined, `the workbench lets nobody in: ${show(admitted)}`)
    const known = [`Cookie: ${cookie}`]
    const post = [...known, `Origin: http://${host}`, json]
    return {
      ...place,
      reported,
      close,
      asks: [
        { verb: 'GET', path: '/', headers: [], status: 401 },
        { verb: 'POST', path: '/api/server.add', headers: post, body: '{}', status: 401 },
        { verb: 'GET', path: '/api/events', headers: known, status: 401 },
        { verb: 'GET', path: '/nothing.js', headers: known, status: 404 },
      ],
    }
  },
}

const sandbox: Listener = {
  name: 'sandbox',
  async start() {
    const reported: unknown[] = []
    const { url, close } = await startWorkbench(reported)
    const policy = (await fetch(new URL('/', url))).headers.get('content-security-policy')
    const [, port] = /frame-src http:\/\/localhost:(\d+)/.exec(policy ?? '') ?? []
    return {
      port: Number(port),
      reported,
      close,
      asks: [
        { verb: 'GET', path: '/?csp=%7B%7D', headers: [], status: 200 },
        { verb: 'GET', path: '/', headers: [], status: 200 },
        { verb: 'GET', path: '/other', headers: [], status: 404 },
      ],
    }
  },
}

async function startWorkbench(reported: unknown[]): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-fuzz-'))
  const { url, close } = await startInspector({ folder, fresh: true, onError: (error) => reported.push(error) })
  const end = async (): Promise<void> => {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
  return { url, close: end }
}

const upgrade: Listener = {
  name: 'upgrade',
  async start() {
    const reported: unknown[] = []
    const listening = await serveWebSocket(serverToTry(), { port: 0 }, { onError: (error) => reported.push(error) })
    const headers = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      'Sec-WebSocket-Protocol: mcp',
    ]
    return {
      port: Number(new URL(listening.url!).port),
      reported,
      close: () => listening.close(),
      asks: [
        { verb: 'GET', path: '/mcp', headers, status: 101 },
        { verb: 'GET', path: '/other', headers, status: 404 },
        { verb: 'GET', path: '/mcp', headers: [], status: 426 },
      ],
    }
  },
}

/** All listeners for HTTP. */
export const listeners: readonly Listener[] = [server, guardedServer, issuer, loopback, workbench, sandbox, upgrade]

export const hostOf = ({ port }: Listening): string => `127.0.0.1:${port}`

/** The bytes of a request; `target` replaces its path. */
export function bytesOfAsk({ verb, path, headers, body }: Ask, host: string, target: string = path): Buffer {
  const close = headers.some((line) => /^connection:/i.test(line)) ? [] : ['Connection: close']
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [`${verb} ${target} HTTP/1.1`, `Host: ${host}`, ...close, ...headers, ...length]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1')
}

/** The status of the first answer; undefined if there is none. */
export const statusOf = (answer: string): number | undefined => {
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? []
  return status === undefined ? undefined : Number(status)
}

export async function assertAlive(listening: Listening): Promise<void> {
  const [ask] = listening.asks
  const answer = await talk({ port: listening.port }, [bytesOfAsk(ask!, hostOf(listening))])
  assert(statusOf(answer) === ask!.status, `it does not answer any more: ${show(answer)}`)
  assert(listening.reported.length === 0, `it reported ${String(listening.reported[0])}`)
}
