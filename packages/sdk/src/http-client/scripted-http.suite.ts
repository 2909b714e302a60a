import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject, RequestId } from '../jsonrpc/message.ts'

/** A received request. */
export interface SeenHttp {
  verb: string
  path: string
  headers: IncomingHttpHeaders
  body: { id?: RequestId; method?: string; params?: JsonObject; result?: JsonObject; error?: JsonObject }
  /** The time of its arrival in milliseconds. */
  at: number
  /** Resolves when the client ended it before it was answered. */
  aborted: Promise<void>
}

export type HttpHandler = (seen: SeenHttp, reply: ServerResponse) => unknown

/** An HTTP server that does exactly as a test scripts it, right or wrong, and records its requests. */
export class ScriptedHttp implements AsyncDisposable {
  readonly seen: SeenHttp[] = []
  readonly #server: Server
  readonly #waiting: { test: (seen: SeenHttp) => boolean; resolve: (seen: SeenHttp) => void }[] = []
  handler: HttpHandler

  private constructor(handler: HttpHandler) {
    this.handler = handler
    this.#server = createServer((request, reply) => this.#take(request, reply))
  }

  /** Starts at any port, or at that of a server before. */
  static async start(handler: HttpHandler, port = 0): Promise<ScriptedHttp> {
    const scripted = new ScriptedHttp(handler)
    await new Promise<void>((resolve) => scripted.#server.listen(port, '127.0.0.1', resolve))
    return scripted
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `${this.origin}/mcp`
  }

  /** The verb and the method of every request. */
  get log(): string[] {
    return this.seen.map(({ verb, body }) => (body.method === undefined ? verb : `${verb} ${body.method}`))
  }

  all(method: string): SeenHttp[] {
    return this.seen.filter(({ body }) => body.method === method)
  }

  /** Waits for a request, which may have come already. */
  until(test: (seen: SeenHttp) => boolean): Promise<SeenHttp> {
    const known = this.seen.find(test)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => this.#waiting.push({ test, resolve }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #take(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const at = performance.now()
    let text = ''
    request.on('error', () => {})
    reply.on('error', () => {})
    const aborted = new Promise<void>((resolve) => {
      reply.on('close', () => {
        if (!reply.writableFinished) resolve()
      })
    })
    for await (const chunk of request) text += chunk
    const body = text === '' ? {} : JSON.parse(text)
    const seen: SeenHttp = { verb: request.method!, path: request.url!, headers: request.headers, body, at, aborted }
    this.seen.push(seen)
    for (const { test, resolve } of this.#waiting) if (test(seen)) resolve(seen)
    await this.handler(seen, reply)
  }
}

export const sendJson = (reply: ServerResponse, value: unknown, status = 200, headers: object = {}): void => {
  reply.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  reply.end(JSON.stringify(value))
}

export const sendText = (reply: ServerResponse, status: number, text = '', type = 'text/plain'): void => {
  reply.writeHead(status, text === '' ? {} : { 'Content-Type': type })
  reply.end(text)
}

/** Begins a stream of events. */
export const startEvents = (reply: ServerResponse, headers: object = {}): void => {
  reply.writeHead(200, { 'Content-Type': 'text/event-stream', ...headers })
  reply.flushHeaders()
}

export const sendEvent = (reply: ServerResponse, value: unknown, fields = ''): void => {
  reply.write(`${fields}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
}

export const resultOf = (seen: SeenHttp, result: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: seen.body.id,
  result,
})

export const errorOf = (seen: SeenHttp, code: number, message: string, data?: unknown): JsonObject => ({
  jsonrpc: '2.0',
  id: seen.body.id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
})

const capabilities = { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} }

export const initializeResult = (protocolVersion = '2025-11-25'): JsonObject => ({
  protocolVersion,
  capabilities,
  serverInfo: { name: 'scripted', version: '1' },
})

export const discoverResult: JsonObject = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities,
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1' } },
}

export const callResult: JsonObject = { content: [{ type: 'text', text: 'ok' }] }

/** Answers the handshake of 2025 and empty lists; the rest is up to the test. */
export function legacy(
  rest: HttpHandler = noMethod,
  session: string | undefined = 's-1',
  revision = '2025-11-25',
): HttpHandler {
  return (seen, reply) => {
    const { method } = seen.body
    if (seen.verb === 'GET') return sendText(reply, 405)
    if (seen.verb === 'DELETE') return sendText(reply, 204)
    if (method === 'initialize') {
      return sendJson(
        reply,
        resultOf(seen, initializeResult(revision)),
        200,
        session ? { 'Mcp-Session-Id': session } : {},
      )
    }
    if (seen.body.id === undefined || method === undefined) return sendText(reply, 202)
    if (method === 'server/discover') return sendJson(reply, errorOf(seen, -32601, 'Method not found'))
    return rest(seen, reply)
  }
}

/** Answers discovery; the rest is up to the test. */
export function modern(rest: HttpHandler = noMethod): HttpHandler {
  return (seen, reply) => {
    if (seen.verb !== 'POST') return sendText(reply, 405)
    if (seen.body.method === 'server/discover') return sendJson(reply, resultOf(seen, discoverResult))
    return rest(seen, reply)
  }
}

export const noMethod: HttpHandler = (seen, reply) => sendJson(reply, errorOf(seen, -32601, 'Method not found'), 404)
