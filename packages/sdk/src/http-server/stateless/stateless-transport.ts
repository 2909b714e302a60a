import type { HttpRequest } from '../../http/request.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { classify, explainInvalid, isObject } from '../../jsonrpc/classify.ts'
import type { Notification, Request } from '../../jsonrpc/message.ts'
import { isSelfContained } from '../../server/stateless/request-meta.ts'
import { OpenSubscriptions } from '../../server/subscriptions/open-subscriptions.ts'
import { standsAlone } from '../../wire/over-http.ts'
import { readAccept, responseMode } from '../checks/accept.ts'
import { type HttpRefusal, refusal, refuseRequest, withRequestId } from '../checks/refusal.ts'
import { refuseAcceptStream } from '../checks/request-checks.ts'
import { expiring } from '../expiring-reply.ts'
import type { HttpExchange, HttpTransport, OpenCounts, PostExchange, TransportContext } from '../http-transport.ts'
import { answerStateless, type StatelessContext } from './stateless-reply.ts'

/** Streamable HTTP from 2026-07-28 on: every request describes itself, and is answered without any earlier one. */
export class StatelessTransport implements HttpTransport {
  readonly allow = 'POST'
  readonly #context: StatelessContext
  readonly #listens: OpenSubscriptions
  readonly #ssePath: string | undefined

  constructor({ dispatcher, settings, keepAlive }: TransportContext) {
    this.#listens = new OpenSubscriptions(settings.maxListens)
    this.#context = { dispatcher, keepAlive, listens: this.#listens }
    this.#ssePath = settings.ssePath
  }

  get open(): Partial<OpenCounts> {
    return { listens: this.#listens.size }
  }

  /** A request is stateless if its header names such a version, or its message does. */
  owns(request: HttpRequest, message: unknown): boolean {
    if (!isObject(message)) return request.method !== 'POST' && namesVersion(request)
    const { method, params } = message as unknown as Notification
    return (
      isSelfContained(params) || namesVersion(request) || (method === 'notifications/cancelled' && isAlone(request))
    )
  }

  answersAnywhere(request: HttpRequest): boolean {
    return (
      request.method === 'POST' &&
      namesVersion(request) &&
      request.header('mcp-session-id') === undefined &&
      request.target.path !== this.#ssePath
    )
  }

  post(exchange: PostExchange, message: unknown): MaybePromise<void> {
    const kind = classify(message)
    if (kind === 'request') return this.#answer(exchange, message as Request)
    const { reply, headers } = exchange
    if (kind === 'notification') {
      this.#passOn(exchange, message as Notification)
      // A cancellation cancels nothing: clients choose ids as they like, so the request of another one may have the
      // same. A client cancels by closing the connection.
      return reply.send(202, { ...headers })
    }
    const problem = kind === 'invalid' ? explainInvalid(message) : { message: notForClients, id: undefined }
    refuseRequest(reply, withRequestId(problem.id, refusal(400, problem.message)), headers)
  }

  endStreams(): Promise<unknown> {
    return this.#listens.end()
  }

  /** A proxy passes notifications on; a server has no use for one that came alone. */
  #passOn({ auth }: PostExchange, notification: Notification): void {
    const { definition } = this.#context.dispatcher
    const info = auth === undefined ? { transport: 'http' } : { transport: 'http', auth }
    try {
      definition.backend?.notified(notification, { info, auth }, definition)
    } catch (error) {
      definition.report(error, notification.method)
    }
  }

  #answer(exchange: PostExchange, message: Request): MaybePromise<void> {
    if (message.method === 'subscriptions/listen') return this.#listen(exchange, message)
    return answerStateless(this.#context, exchange, message, responseMode(exchange))
  }

  /** Stays open for as long as the client likes, so it does not count as in flight, and is always a stream. */
  #listen(exchange: PostExchange, message: Request): MaybePromise<void> {
    const refused = this.#refuseListen(exchange)
    if (refused !== undefined)
      return refuseRequest(exchange.reply, withRequestId(message.id, refused), exchange.headers)
    exchange.slot.release()
    const { json } = readAccept(exchange.request.header('accept'))
    return answerStateless(this.#context, expiring(exchange), message, json ? 'auto' : 'sse')
  }

  #refuseListen({ request, settings }: HttpExchange): HttpRefusal | undefined {
    return refuseAcceptStream(request, settings) ?? (this.#listens.full ? tooManyListens : undefined)
  }
}

function namesVersion(request: HttpRequest): boolean {
  const version = request.header('mcp-protocol-version')
  return version !== undefined && standsAlone(version)
}

/** True if nothing says which revision it is of, or that it belongs to a session. */
const isAlone = (request: HttpRequest): boolean =>
  request.header('mcp-protocol-version') === undefined && request.header('mcp-session-id') === undefined

const tooManyListens = refusal(503, 'Too many subscriptions are open', undefined, { 'retry-after': '5' })
const notForClients = 'Invalid request: clients send requests and notifications only'
