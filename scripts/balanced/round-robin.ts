import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A balancer for tests: each request goes to the next server, whatever it is about. Streams are passed on as they come. */
export class RoundRobin {
  readonly #server: Server
  #next = 0
  /** The URLs of the servers, which may change at any time. */
  targets: readonly string[]

  private constructor(targets: readonly string[]) {
    this.targets = targets
    this.#server = createServer((incoming, outgoing) => void this.#forward(incoming, outgoing))
  }

  static async start(targets: readonly string[]): Promise<RoundRobin> {
    const balancer = new RoundRobin(targets)
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const body = Buffer.concat(await incoming.toArray())
      this.#send(incoming, body, outgoing, this.targets.length)
    } catch {
      outgoing.destroy()
    }
  }

  /** A server that refuses the connection has seen nothing of the request, so the next one gets it. */
  #send(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, attempts: number): void {
    if (outgoing.destroyed) return
    if (attempts === 0) return void outgoing.writeHead(502).end()
    const target = this.targets[this.#next++ % this.targets.length]
    if (target === undefined) return void outgoing.writeHead(502).end()
    const url = new URL(incoming.url ?? '/', target)
    // One connection for each request: a kept one may just be closing, and nobody could tell whether the request was read.
    const headers = { ...incoming.headers, host: url.host, connection: 'close' }
    const asked = request(url, { agent: false, method: incoming.method, headers })
    const abandon = (): void => void asked.destroy()
    outgoing.once('close', abandon)
    asked.once('response', (reply) => {
      const { connection: _ours, ...passedOn } = reply.headers
      outgoing.writeHead(reply.statusCode!, passedOn)
      outgoing.flushHeaders()
      reply.pipe(outgoing)
      reply.once('error', () => outgoing.destroy()).once('aborted', () => outgoing.destroy())
    })
    asked.on('error', (error: NodeJS.ErrnoException) => {
      outgoing.off('close', abandon)
      if (error.code === 'ECONNREFUSED') this.#send(incoming, body, outgoing, attempts - 1)
      else if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    asked.end(body)
  }
}
