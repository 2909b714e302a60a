import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forgetServers } from '@tenon/sdk/client'
import type { Action } from './notation.ts'
import type { Script, Voice } from './script.ts'

/** A misbehaving server of HTTP+SSE: a stream at one URL, and messages to the endpoint that the stream names. */
export class SsePeer implements AsyncDisposable {
  readonly #server: Server
  readonly url: string

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`
    // Another case may have had this port, and the client remembers servers by their addresses.
    forgetServers(this.url)
  }

  static async open(script: Script): Promise<SsePeer> {
    const place = new Place(script)
    const server = createServer((request, reply) => void place.take(request, reply))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new SsePeer(server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

class Place {
  readonly #script: Script
  #stream: ServerResponse | undefined

  constructor(script: Script) {
    this.#script = script
  }

  async take(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    reply.on('error', () => {})
    if (request.method === 'GET') return this.#open(reply)
    // Servers of that time know one verb at the URL of the stream.
    if (request.url === '/sse') return void reply.writeHead(405).end()
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const voice = new SseVoice(this.#stream!, reply)
    await this.#script.message(JSON.parse(body), voice)
    voice.endPost()
  }

  async #open(reply: ServerResponse): Promise<void> {
    this.#stream = reply
    const voice = new SseVoice(reply)
    if (this.#script.has('GET')) return this.#script.event('GET', voice)
    voice.act({ verb: 'endpoint', text: '/messages' })
  }
}

/** Answers go to the stream; the response to a POST is separate. */
class SseVoice implements Voice {
  readonly #stream: ServerResponse
  readonly #post: ServerResponse | undefined
  #status = '200'
  #type = 'text/event-stream'

  constructor(stream: ServerResponse, post?: ServerResponse) {
    this.#stream = stream
    this.#post = post
  }

  say(message: string): void {
    this.write(Buffer.from(`event: message\ndata: ${message}\n\n`))
  }

  write(bytes: Uint8Array): void {
    if (!this.#stream.headersSent) this.#stream.writeHead(Number(this.#status), { 'content-type': this.#type })
    this.#stream.write(bytes)
  }

  act({ verb, text }: Action): boolean {
    if (verb === 'endpoint') this.write(Buffer.from(`event: endpoint\ndata: ${text}\n\n`))
    else if (verb === 'status') this.#status = text
    else if (verb === 'type') this.#type = text
    else if (verb === 'posted') this.#answerPost(text)
    else if (verb === 'end') this.#stream.end()
    else if (verb === 'cut') this.#stream.destroy()
    else return verb === 'nothing'
    return true
  }

  /** `posted 200 text/plain OK`: a status, a type, and a body. */
  #answerPost(text: string): void {
    const [, status, type, body = ''] = /^(\d+) ?(\S*) ?(.*)$/.exec(text)!
    this.#post!.writeHead(Number(status), type ? { 'content-type': type } : {}).end(body)
  }

  endPost(): void {
    if (this.#post && !this.#post.headersSent) this.#post.writeHead(202).end('Accepted')
  }
}
