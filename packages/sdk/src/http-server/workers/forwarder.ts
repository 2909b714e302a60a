import { Agent, type ClientRequest, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import { targetText } from '../../http/request-target.ts'
import { gate } from '../../internal/gate.ts'
import { guardListener } from '../../internal/guard-listener.ts'
import { type HttpRefusal, refusal, refuseRequest } from '../checks/refusal.ts'
import { NodeReply } from '../node/node-reply.ts'
import type { NodeRequest } from '../node/node-request.ts'
import type { SendBuffers } from '../node/send-buffers.ts'

/** Hop-by-hop headers: they are about one connection. */
const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Hands requests to the first process as they are, and its answers back as they come. */
export class Forwarder {
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  readonly #socketPath: string
  readonly #maxBodyBytes: number
  readonly #buffers: SendBuffers
  #open = 0
  #idle: (() => void) | undefined

  constructor(socketPath: string, maxBodyBytes: number, buffers: SendBuffers) {
    this.#socketPath = socketPath
    this.#buffers = buffers
    this.#maxBodyBytes = maxBodyBytes
  }

  forward(arriving: NodeRequest, response: ServerResponse): void {
    const { raw: request } = arriving
    const passing = this.#start(arriving)
    if (passing === undefined) {
      answer(response, notUnderstood, this.#buffers)
      return
    }
    this.#open++
    passing.once('close', () => {
      if (--this.#open === 0) this.#idle?.()
    })
    response.once('close', () => {
      if (!response.writableFinished) passing.destroy()
    })
    const stopBody = passBody(request, passing, this.#maxBodyBytes)
    const giveUp = (): void => {
      stopBody()
      if (response.headersSent) response.destroy()
      else answer(response, unreachable, this.#buffers)
    }
    const pass = (reply: IncomingMessage): void => {
      stopBody()
      passReply(reply, response)
      // A request that was answered before it was complete leaves a connection that is good for nothing else.
      reply.once('end', () => {
        if (!passing.writableFinished) passing.destroy()
      })
    }
    passing.once('error', giveUp)
    passing.once('response', guardListener(pass, { report: giveUp }))
  }

  /** Resolves when no request is on its way. */
  async idle(): Promise<void> {
    if (this.#open === 0) return
    const idle = gate()
    this.#idle = idle.open
    await idle.passed
  }

  close(): void {
    this.#agent.destroy()
  }

  #start({ raw: request, target }: NodeRequest): ClientRequest | undefined {
    if (target === undefined) return undefined
    const { method, rawHeaders } = request
    const path = targetText(target)
    const headers = keepOthers(rawHeaders)
    // Written out, as Node would not mark the ends of a body that it does not expect, such as that of a GET.
    if (request.headers['transfer-encoding'] !== undefined) headers.push('transfer-encoding', 'chunked')
    try {
      return openRequest({ socketPath: this.#socketPath, agent: this.#agent, method, path, headers, setHost: false })
    } catch {
      return undefined
    }
  }
}

/** The headers of a message as they came, twice if they came twice, without those of the connection. */
function keepOthers(rawHeaders: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!ofTheConnection.has(rawHeaders[i]!.toLowerCase())) kept.push(rawHeaders[i]!, rawHeaders[i + 1]!)
  }
  return kept
}

/** Passes a body on as fast as it is taken. Returns how to stop that. */
function passBody(request: IncomingMessage, passing: ClientRequest, maxBytes: number): () => void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) {
    passing.end()
    return () => {}
  }
  let bytes = 0
  const resume = (): void => void request.resume()
  const data = (chunk: Buffer): void => {
    bytes += chunk.length
    const full = !passing.write(chunk)
    // More would be written to a closed connection, and the refusal would be lost.
    if (bytes > maxBytes) request.pause()
    else if (full) {
      request.pause()
      passing.once('drain', resume)
    }
  }
  const end = (): void => void passing.end()
  request.on('data', data).on('end', end)
  return () => {
    request.off('data', data).off('end', end)
    passing.off('drain', resume)
  }
}

function passReply(reply: IncomingMessage, response: ServerResponse): void {
  const headers = keepOthers(reply.rawHeaders)
  if (reply.headers.connection === 'close') headers.push('connection', 'close')
  response.writeHead(reply.statusCode!, headers)
  // The client of a stream waits for its beginning, even if nothing happens on it.
  if (reply.headers['content-length'] === undefined) response.flushHeaders()
  reply.pipe(response)
  reply.once('close', () => {
    if (!reply.complete) response.destroy()
  })
}

const unreachable = refusal(503, 'The server is not available at the moment', undefined, { connection: 'close' })
const notUnderstood = refusal(400, 'Bad request')

function answer(response: ServerResponse, refused: HttpRefusal, buffers: SendBuffers): void {
  if (!response.destroyed) refuseRequest(new NodeReply(response, buffers), refused)
}
