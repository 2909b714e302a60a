import { McpError } from '../../errors.ts'
import { connectionFailure } from './connection-failure.ts'
import type { Engine, OutgoingHttpRequest, ReplyHead, ReplyReader, Sent } from './engine.ts'

/** Sends requests with `fetch`, which works everywhere. */
export function fetchEngine(fetchFunction: typeof fetch = globalThis.fetch): Engine {
  const peer = { answers: false }
  return {
    send(request, reader) {
      const exchange = new FetchExchange(reader, peer)
      exchange.run(fetchFunction, request)
      return exchange
    },
    close: () => {},
  }
}

class FetchExchange implements Sent {
  readonly #reader: ReplyReader
  /** Whether the server has answered any request in HTTP. */
  readonly #peer: { answers: boolean }
  readonly #controller = new AbortController()
  #over = false

  constructor(reader: ReplyReader, peer: { answers: boolean }) {
    this.#reader = reader
    this.#peer = peer
  }

  abort(): void {
    this.#over = true
    this.#controller.abort()
  }

  async run(fetchFunction: typeof fetch, request: OutgoingHttpRequest): Promise<void> {
    try {
      // Not called as a method of an object: browsers refuse that.
      const response = await fetchFunction(request.url.href, this.#init(request))
      this.#peer.answers = true
      if (this.#over) return
      if (response.type === 'opaqueredirect') throw hiddenRedirect(request.url)
      this.#reader.head(headOf(response))
      await this.#read(response)
    } catch (error) {
      this.#fail(connectionFailure(request.url, error, this.#peer.answers))
    }
  }

  #init({ method, headers, body }: OutgoingHttpRequest): RequestInit {
    const { signal } = this.#controller
    return { method, headers, signal, redirect: 'manual', ...(body === undefined ? {} : { body }) }
  }

  async #read(response: Response): Promise<void> {
    const body = response.body?.getReader()
    while (body !== undefined) {
      if (this.#over) return
      const { done, value } = await body.read()
      if (done) break
      if (!this.#over) this.#reader.chunk(value)
    }
    if (this.#over) return
    this.#over = true
    this.#reader.end()
  }

  #fail(error: Error): void {
    if (this.#over) return
    this.#over = true
    this.#reader.broken(error)
  }
}

const headOf = ({ status, headers }: Response): ReplyHead => ({
  status,
  decoded: true,
  fields: headers,
  header: (name) => headers.get(name) ?? undefined,
})

const hiddenRedirect = ({ href }: URL): McpError =>
  new McpError('http', `${href} redirects, and browsers do not tell where to: connect to the final URL`)
