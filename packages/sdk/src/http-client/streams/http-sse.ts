import { shortLine } from '../../display/visible.ts'
import { McpError } from '../../errors.ts'
import type { SseEvent } from '../../http/sse-parser.ts'
import type { RefusedInput } from '../../jsonrpc/channel.ts'
import type { ReplyHead } from '../engines/engine.ts'
import { HttpError, refusedError } from '../http-error.ts'
import type { HttpClientLimits } from '../http-options.ts'
import type { Handle, HttpWire } from '../http-wire.ts'
import type { ReplyOutcome, ReplySink } from './reply.ts'

interface HttpSseStreamOwner {
  readonly wire: HttpWire
  readonly limits: Required<HttpClientLimits>
  streamHeaders(lastEventId: string | undefined): { [name: string]: string }
  receive(value: unknown, during?: undefined, text?: string): void
  unreadable(problem: Error, input?: RefusedInput): void
  /** The stream is gone, and with it every open request. */
  lost(error: Error): void
}

/** The stream of the HTTP+SSE transport of 2024-11-05: its first event names the endpoint for messages. */
export class HttpSseStream implements ReplySink {
  readonly #owner: HttpSseStreamOwner
  #handle: Handle | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #opening: { resolve: (endpoint: URL) => void; reject: (error: Error) => void } | undefined
  #over = false
  /** True once the server has named an endpoint, right or wrong: it has this transport. */
  named = false

  constructor(owner: HttpSseStreamOwner) {
    this.#owner = owner
  }

  /** Opens the stream, and returns the endpoint; rejects if the server does not have this transport. */
  open(): Promise<URL> {
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject }
      this.preparing()
      this.#handle = this.#owner.wire.send(
        { method: 'GET', headers: this.#owner.streamHeaders(undefined), repeatable: true },
        this,
      )
    })
  }

  close(): void {
    this.#over = true
    clearTimeout(this.#timer)
    this.#handle?.drop()
  }

  preparing(): void {
    const { acceptTimeoutMs } = this.#owner.limits
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#end(new McpError('timeout', `No event named endpoint within ${acceptTimeoutMs} ms`))
    }, acceptTimeoutMs)
  }

  accepted(head: ReplyHead, streamed: boolean): void {
    if (!streamed) this.#end(new HttpError('http', 'A GET is not answered with a stream of events', head))
  }

  event({ event, data }: SseEvent): boolean {
    if (this.#opening === undefined) return event === 'endpoint'
    if (event !== 'endpoint') {
      // Only the very first event decides; one without data does not count.
      if (data !== '') this.#end(new McpError('http', `Expected an event named endpoint first, got ${event}`))
      return true
    }
    this.#found(data)
    return true
  }

  value(value: unknown, text?: string): void {
    if (!this.#over) this.#owner.receive(value, undefined, text)
  }

  unreadable(problem: Error, input?: RefusedInput): void {
    this.#owner.unreadable(problem, input)
  }

  finished(outcome: ReplyOutcome): void {
    this.#end(reasonOf(outcome))
  }

  #found(data: string): void {
    this.named = true
    const { url } = this.#owner.wire
    const endpoint = URL.canParse(data, url) ? new URL(data, url) : undefined
    if (endpoint === undefined || endpoint.origin !== url.origin) {
      // Every message, with its credentials, would go to this origin.
      this.#end(new McpError('http', `The server wants messages posted to another origin: ${shortLine(data, 200)}`))
      return
    }
    clearTimeout(this.#timer)
    const { resolve } = this.#opening!
    this.#opening = undefined
    resolve(endpoint)
  }

  #end(error: Error): void {
    if (this.#over) return
    this.close()
    if (this.#opening !== undefined) this.#opening.reject(error)
    else this.#owner.lost(error)
  }
}

function reasonOf(outcome: ReplyOutcome): Error {
  if (outcome.kind === 'broken') return outcome.error
  if (outcome.kind === 'refused') return refusedError('The stream', outcome.head, outcome.body, false)
  return new McpError('closed', 'The server ended the stream')
}
