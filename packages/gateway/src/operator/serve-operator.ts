import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMcpError, type JsonObject, McpError } from '@tenon/sdk/client'
import { guardRequests, readHead } from '@tenon/sdk/node'
import type { Gateway } from '../gateway.ts'
import { operatorCommands } from './commands.ts'
import { NotKnownError } from './not-known.ts'
import { Operator } from './operator.ts'
import { TrafficStreams } from './traffic-streams.ts'

export interface ServeOperatorOptions {
  /** Default: that of the configuration, or any that is free. */
  readonly port?: number
  /** Default: that of the configuration, or `127.0.0.1`: nobody else on the network. */
  readonly host?: string
  /** Whoever has it may do everything here: at least 32 characters. Default: that of the configuration, or a new one. */
  readonly token?: string
}

/** The API of the people who run a gateway. */
export interface OperatorServer extends AsyncDisposable {
  /** Commands are below `/api/`. */
  readonly url: string
  readonly token: string
  close(): Promise<void>
}

const maxBodyBytes = 1024 * 1024
const minTokenChars = 32

/**
 * Serves the API of operators at an address of its own: `POST /api/NAME` with parameters in JSON, and `GET /api/traffic`,
 * which streams requests as they pass. Every request needs the token.
 *
 * @example
 * await using operator = await serveOperator(gateway)
 * console.log(operator.url, operator.token)
 */
export async function serveOperator(gateway: Gateway, options: ServeOperatorOptions = {}): Promise<OperatorServer> {
  const { operator: given } = gateway.config
  const { port = given?.port ?? 0, host = given?.host ?? '127.0.0.1' } = options
  const { token = given?.token ?? randomBytes(32).toString('base64url') } = options
  if (token.length < minTokenChars) {
    throw new McpError('invalid_argument', `token: expected at least ${minTokenChars} characters, got ${token.length}`)
  }
  const operator = new Operator(gateway)
  const streams = new TrafficStreams(gateway.traffic)
  const secret = digest(`Bearer ${token}`)
  const server = createServer(
    { maxHeaderSize: 16 * 1024, headersTimeout: 10_000 },
    guardRequests(
      async (request, response) => {
        const head = readHead(request)
        if (head === undefined) return refuse(response, 400, 'Expected one Host, and a path in normal form')
        const { method, headers, target } = head
        // A page in a browser has no business here: the token is not for browsers.
        if (headers.origin !== undefined) return refuse(response, 403, 'Requests of pages are not answered')
        const shown = typeof headers.authorization === 'string' ? headers.authorization : ''
        if (!timingSafeEqual(digest(shown), secret)) {
          response.setHeader('www-authenticate', 'Bearer')
          return refuse(response, 401, 'Expected the token of the operator')
        }
        const name = /^\/api\/(\w{1,40})$/.exec(target.path)?.[1]
        if (name === 'traffic' && method === 'GET') return streams.open(response)
        if (name === undefined || !operatorCommands.has(name)) return refuse(response, 404, 'There is nothing here')
        if (method !== 'POST') return refuse(response, 405, 'Expected POST')
        return answer(name, operator, request, response)
      },
      (error) => gateway.report(error, 'operator'),
    ),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  }).catch((error: unknown) => {
    streams.close()
    throw error
  })
  const { port: taken } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      streams.close()
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return closing
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    token,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

async function answer(
  name: string,
  operator: Operator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const params = await readParams(request)
    if (params === undefined) return refuse(response, 413, `A command takes at most ${maxBodyBytes} bytes`)
    const { check, run } = operatorCommands.get(name)!
    check(params)
    send(response, 200, { result: await run(operator, params) })
  } catch (error) {
    if (!isMcpError(error)) throw error
    const { code, message } = error
    const suggestions = error instanceof NotKnownError ? error.suggestions : undefined
    send(response, 422, { error: { code, message, ...(suggestions && { suggestions }) } })
  }
}

/** The body as JSON; undefined if it is too large. */
async function readParams(request: IncomingMessage): Promise<JsonObject | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  try {
    return bytes === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject)
  } catch {
    throw new McpError('invalid_argument', 'parameters: expected JSON')
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.setHeader('connection', 'close')
  send(response, status, { error: { code: 'refused', message } })
}
