import { version } from '../../version.ts'
import { connectionFailure } from './connection-failure.ts'
import type { Engine, OutgoingHttpRequest, ReplyReader, Sent } from './engine.ts'

/** A request that is on its way, for its handler. */
interface Controller {
  abort(reason: Error): void
}

/** The calls that a dispatcher makes while a request is on its way. */
interface DispatchHandler {
  onRequestStart(controller: Controller): void
  onResponseStart(
    controller: Controller,
    status: number,
    headers: { [name: string]: string | string[] | undefined },
  ): void
  onResponseData(controller: Controller, bytes: Uint8Array): void
  onResponseEnd(): void
  onResponseError(controller: Controller | null, error: Error): void
}

interface DispatchOptions {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: { [name: string]: string }
  readonly body: string | null
  readonly headersTimeout: number
  readonly bodyTimeout: number
}

/** The part of the `Dispatcher` of undici 7 that is used here. */
export interface HttpDispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): unknown
}

const userAgent = `tenon/${version}`
// Several kept connections may have died together, as after a restart of the server.
const maxRepeats = 16
const lostConnection = /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/

/** Sends requests with a dispatcher of undici: for a program that has many requests under way. */
export function dispatcherEngine(dispatcher: HttpDispatcher): Engine {
  const peer = { answers: false }
  return {
    send(request, reader) {
      const exchange = new DispatchedExchange(dispatcher, request, reader, peer)
      if (waiting.push(exchange) === 1) setImmediate(runWaiting)
      return exchange
    },
    // Whoever made the dispatcher closes it.
    close() {},
  }
}

let waiting: DispatchedExchange[] = []

/**
 * Sends at the end of the turn of the event loop. Requests of one turn that are written one by one wake up a server that has
 * just gone to sleep, each of them; written together they wake it up once.
 */
function runWaiting(): void {
  const turn = waiting
  waiting = []
  for (const exchange of turn) exchange.run()
}

class DispatchedExchange implements Sent, DispatchHandler {
  readonly #dispatcher: HttpDispatcher
  readonly #request: OutgoingHttpRequest
  readonly #reader: ReplyReader
  /** Whether the server has answered any request in HTTP. */
  readonly #peer: { answers: boolean }
  #controller: Controller | undefined
  #answered = false
  #over = false
  #repeats = 0

  constructor(
    dispatcher: HttpDispatcher,
    request: OutgoingHttpRequest,
    reader: ReplyReader,
    peer: { answers: boolean },
  ) {
    this.#dispatcher = dispatcher
    this.#request = request
    this.#reader = reader
    this.#peer = peer
  }

  abort(): void {
    this.#over = true
    this.#controller?.abort(aborted)
  }

  run(): void {
    if (this.#over) return
    const { method, url, headers, body = null } = this.#request
    const hasAgent = Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent')
    try {
      // Calls may take long: whoever waits for them ends them.
      this.#dispatcher.dispatch(
        {
          ...placeOf(url),
          method,
          headers: hasAgent ? headers : { 'User-Agent': userAgent, ...headers },
          body,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        this,
      )
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#over) controller.abort(aborted)
  }

  onResponseStart(
    _controller: Controller,
    status: number,
    fields: { [name: string]: string | string[] | undefined },
  ): void {
    // A reply that only announces another one is none.
    if (this.#over || status < 200) return
    this.#answered = true
    this.#peer.answers = true
    this.#reader.head({
      status,
      fields,
      header: (name) => {
        const value = fields[name]
        return Array.isArray(value) ? value.join(', ') : value
      },
    })
  }

  onResponseData(_controller: Controller, bytes: Uint8Array): void {
    if (!this.#over) this.#reader.chunk(bytes)
  }

  onResponseEnd(): void {
    if (this.#over) return
    this.#over = true
    this.#reader.end()
  }

  onResponseError(_controller: Controller | null, error: Error & { code?: string }): void {
    if (this.#over) return
    const isLost = !this.#answered && this.#peer.answers && lostConnection.test(error.code ?? '')
    if (!isLost || this.#request.repeatable !== true || this.#repeats >= maxRepeats) {
      this.#fail(error)
      return
    }
    this.#repeats += 1
    this.run()
  }

  #fail(error: Error): void {
    if (this.#over) return
    this.#over = true
    this.#reader.broken(connectionFailure(this.#request.url, error, this.#peer.answers))
  }
}

const aborted = new Error('The request was aborted')

// The parts of a URL are computed on each access, and one URL is used again and again.
const places = new WeakMap<URL, Pick<DispatchOptions, 'origin' | 'path'>>()

function placeOf(url: URL): Pick<DispatchOptions, 'origin' | 'path'> {
  const known = places.get(url)
  if (known !== undefined) return known
  const place = { origin: url.origin, path: url.pathname + url.search }
  places.set(url, place)
  return place
}
