import { McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { Authorizing } from './authorizing.ts'
import type { ClientAuth } from './client-auth.ts'
import type { Engine, OutgoingHttpRequest } from './engines/engine.ts'
import { HttpError } from './http-error.ts'
import type { HeaderRecord, HeaderSource, HttpClientLimits } from './http-options.ts'
import { joinHeaders } from './request-headers.ts'
import { PassingSink } from './streams/passing-sink.ts'
import { Reply, type ReplyOutcome, type ReplySink } from './streams/reply.ts'

/** A request that can be dropped. */
export interface Handle {
  /** Ends it; its sink is not called any more. */
  drop(): void
}

interface WireOptions {
  headers?: HeaderSource
  auth?: ClientAuth
  limits: Required<HttpClientLimits>
}

/** Sends requests to one server: adds the headers of the user, follows redirects within the origin, and reads replies. */
export class HttpWire {
  /** The URL of the server; a permanent redirect changes it. */
  url: URL
  readonly #engine: Engine
  readonly #options: WireOptions
  /** The original URL of the server: credentials belong to it, also after redirects. */
  readonly #server: URL

  constructor(url: URL, engine: Engine, options: WireOptions) {
    this.url = url
    this.#server = url
    this.#engine = engine
    this.#options = options
  }

  send(request: Omit<OutgoingHttpRequest, 'url'> & { url?: URL }, sink: ReplySink): Handle {
    const { auth } = this.#options
    if (auth === undefined) return this.#send(request, sink)
    const wire = {
      auth,
      server: this.#server,
      send: (each: OutgoingHttpRequest, to: ReplySink) => this.#send(each, to),
    }
    const authorizing = new Authorizing(wire, { ...request, url: request.url ?? this.url }, sink)
    authorizing.start()
    return authorizing
  }

  #send(request: Omit<OutgoingHttpRequest, 'url'> & { url?: URL }, sink: ReplySink): Handle {
    const moves = request.url === undefined || request.url === this.url
    const sending = new Sending(this.#engine, this.#options.limits, sink, (url) => {
      if (moves) this.url = url
    })
    // `url` first: a member that follows a spread costs V8 ten times as much.
    const whole = { url: this.url, ...request }
    const { headers } = this.#options
    if (typeof headers !== 'function') sending.start(withUserHeaders(whole, headers))
    else sending.startAfter(attempt(headers), whole)
    return sending
  }

  /** Closes kept connections. */
  close(): void {
    this.#engine.close()
  }
}

const withUserHeaders = (request: OutgoingHttpRequest, headers: HeaderRecord | undefined): OutgoingHttpRequest =>
  headers === undefined ? request : { ...request, headers: joinHeaders(headers, request.headers) }

const attempt = async <T>(callback: () => MaybePromise<T>): Promise<T> => callback()

class Sending extends PassingSink implements Handle {
  readonly #engine: Engine
  readonly #limits: Required<HttpClientLimits>
  readonly #moved: (url: URL) => void
  #request: OutgoingHttpRequest | undefined
  #reply: Reply | undefined
  #dropped = false
  #redirects = 0

  constructor(engine: Engine, limits: Required<HttpClientLimits>, sink: ReplySink, moved: (url: URL) => void) {
    super(sink)
    this.#engine = engine
    this.#limits = limits
    this.#moved = moved
  }

  drop(): void {
    this.#dropped = true
    this.#reply?.drop()
  }

  async startAfter(headers: Promise<HeaderRecord>, request: OutgoingHttpRequest): Promise<void> {
    let found: HeaderRecord
    try {
      found = await headers
    } catch (cause) {
      const error = new McpError('invalid_argument', 'headers: the function failed', { cause })
      if (!this.#dropped) this.sink.finished({ kind: 'broken', error, streamed: false })
      return
    }
    if (!this.#dropped) this.start(withUserHeaders(request, found))
  }

  start(request: OutgoingHttpRequest): void {
    this.#request = request
    const reply = new Reply(this, this.#limits)
    this.#reply = reply
    const sent = this.#engine.send(request, reply)
    reply.abort = () => sent.abort()
  }

  override finished(outcome: ReplyOutcome): void {
    const request = this.#request!
    if (outcome.kind !== 'redirect') {
      this.sink.finished(outcome)
      return
    }
    const next = this.#redirected(request, outcome)
    if (next instanceof Error) this.sink.finished({ kind: 'broken', error: next, streamed: false })
    // Not inside the callback of the previous request, which has not ended yet.
    else queueMicrotask(() => this.#dropped || this.start({ ...request, url: next }))
  }

  #redirected(
    { url, method }: OutgoingHttpRequest,
    { head, location }: ReplyOutcome & { kind: 'redirect' },
  ): URL | HttpError {
    const refuse = (why: string): HttpError => new HttpError('http', `${url.href} ${why}`, head)
    const target = URL.canParse(location, url) ? new URL(location, url) : undefined
    if (target === undefined) return refuse(`redirects to ${JSON.stringify(location.slice(0, 200))}, which is no URL`)
    // The new target would get the credentials and the content of the request.
    if (target.origin !== url.origin) {
      return refuse(`redirects to another origin, ${target.origin}: connect to that URL if you trust it`)
    }
    if (head.status === 303 && method === 'POST') return refuse('redirects a POST to a page (303)')
    this.#redirects += 1
    if (this.#redirects > this.#limits.maxRedirects) {
      return refuse(`redirects more than ${this.#limits.maxRedirects} times`)
    }
    if (head.status === 301 || head.status === 308) this.#moved(target)
    return target
  }
}
