import type { HttpRequest } from '../../http/request.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { classify, isObject } from '../../jsonrpc/classify.ts'
import type { Request } from '../../jsonrpc/message.ts'
import type { Definition } from '../../server/definition/definition.ts'
import { responseMode } from '../checks/accept.ts'
import { refuseMessage } from '../checks/message-check.ts'
import {
  type HttpRefusal,
  idOfRequest,
  methodNotAllowed,
  refusal,
  refuseRequest,
  withRequestId,
} from '../checks/refusal.ts'
import { refuseAcceptStream } from '../checks/request-checks.ts'
import { mayLackScopes, refuseMissingScopes } from '../checks/step-up.ts'
import { expiring } from '../expiring-reply.ts'
import type { HttpExchange, HttpTransport, OpenCounts, TransportContext } from '../http-transport.ts'
import type { KeepAliveTimer } from '../keep-alive.ts'
import type { ResponseMode } from '../options.ts'
import { readEventId } from './event-stream.ts'
import type { HttpSession } from './http-session.ts'
import { HttpSessions } from './http-sessions.ts'
import { openSession } from './open-session.ts'
import { SessionReply } from './session-reply.ts'

type Found = { session: HttpSession } | { refused: HttpRefusal }

/** Streamable HTTP of the revisions with a handshake: `initialize` opens a session, which a header names in requests. */
export class SessionTransport implements HttpTransport {
  readonly allow = 'GET, POST, DELETE'
  readonly #definition: Definition
  readonly #keepAlive: KeepAliveTimer
  readonly #sessions: HttpSessions

  constructor({ dispatcher, settings, keepAlive, sessionLimits }: TransportContext) {
    const { eventLog, retryMs, sessionStore, bus, maxSessions, idleMs } = settings
    this.#definition = dispatcher.definition
    this.#keepAlive = keepAlive
    eventLog?.useBudget?.(dispatcher.definition.budget)
    const now = (): number => performance.now()
    const context = { dispatcher, limits: sessionLimits, log: eventLog, keepAlive, retryMs, now }
    this.#sessions = new HttpSessions(sessionStore, { max: maxSessions, idleMs }, context, bus)
  }

  get open(): Partial<OpenCounts> {
    return { sessions: this.#sessions.size, sessionStreams: this.#sessions.openStreams }
  }

  owns(): boolean {
    return true
  }

  post(exchange: HttpExchange, message: unknown): MaybePromise<void> {
    const mode = responseMode(exchange)
    const isInitialize = isObject(message) && message.method === 'initialize' && classify(message) === 'request'
    if (isInitialize && exchange.request.header('mcp-session-id') === undefined)
      return openSession(this.#sessions, exchange, message as unknown as Request, mode)
    const found = this.#find(exchange)
    return found instanceof Promise
      ? found.then((known) => this.#take(known, exchange, message, mode))
      : this.#take(found, exchange, message, mode)
  }

  /** Opens the stream for messages that belong to no request, or resumes a stream that was cut. */
  async get(arrived: HttpExchange): Promise<void> {
    const { request, reply, headers, auth } = arrived
    if (belongsNowhere(request)) return refuseRequest(reply, methodNotAllowed(withoutSession, request.method), headers)
    const refused = refuseAcceptStream(request, arrived.settings)
    if (refused !== undefined) return refuseRequest(reply, refused, headers)
    const exchange = expiring(arrived)
    const session = await this.#findOrRefuse(exchange)
    if (session === undefined) return
    const lastEvent = request.header('last-event-id')
    if (lastEvent === undefined || lastEvent === '') return session.listen(exchange.reply, headers, auth)
    const event = readEventId(lastEvent)
    if (event !== undefined && (await session.resume(event.stream, event.number, exchange))) return
    refuseRequest(exchange.reply, refusal(400, 'Last-Event-ID names no event that can be continued from'), headers)
  }

  async delete(exchange: HttpExchange): Promise<void> {
    const { request, reply, headers } = exchange
    if (belongsNowhere(request)) return refuseRequest(reply, methodNotAllowed(withoutSession, request.method), headers)
    const session = await this.#findOrRefuse(exchange)
    if (session === undefined) return
    await this.#sessions.end(session)
    reply.send(204, { ...headers })
  }

  async close(): Promise<void> {
    await this.#sessions.close()
  }

  #take(found: Found, exchange: HttpExchange, message: unknown, mode: ResponseMode): MaybePromise<void> {
    const refused =
      'refused' in found ? found.refused : (this.#refuseVersion(exchange) ?? refuseMessage(message, found.session))
    if (refused !== undefined) {
      const named = withRequestId(refused.id ?? idOfRequest(message), refused)
      return refuseRequest(exchange.reply, named, exchange.headers)
    }
    const { session } = found as { session: HttpSession }
    // An event stream may have its status before the answer is known.
    return mode === 'sse' && mayLackScopes(this.#definition, exchange.settings)
      ? this.#receiveUnlessRefused(session, exchange, message, mode)
      : this.#receive(session, exchange, message, mode)
  }

  async #receiveUnlessRefused(
    session: HttpSession,
    exchange: HttpExchange,
    message: unknown,
    mode: ResponseMode,
  ): Promise<void> {
    const refused = await session.asCaller(exchange.auth, (caller) =>
      refuseMissingScopes(message, this.#definition, caller, exchange),
    )
    if (refused !== undefined) return refuseRequest(exchange.reply, refused, exchange.headers)
    await this.#receive(session, exchange, message, mode)
  }

  /** Only requests are answered; a batch may have some in it, which the session finds out. */
  #receive(session: HttpSession, exchange: HttpExchange, message: unknown, mode: ResponseMode): MaybePromise<void> {
    const kind = classify(message)
    if (kind === 'request') return this.#answer(session, exchange, message, mode)
    if (this.#sessions.relays) return this.#relay(session, exchange, message, mode)
    if (kind === 'batch') return this.#answer(session, exchange, message, mode)
    this.#accept(session, exchange, message)
  }

  #answer(session: HttpSession, exchange: HttpExchange, message: unknown, mode: ResponseMode): MaybePromise<void> {
    return new SessionReply(session, exchange, mode, this.#keepAlive).run(message)
  }

  #accept(session: HttpSession, { auth, reply, headers }: HttpExchange, message: unknown): void {
    session.receive(message, auth)
    reply.send(202, { ...headers })
  }

  /** Some messages are meant for the process that waits for them. */
  async #relay(session: HttpSession, exchange: HttpExchange, message: unknown, mode: ResponseMode): Promise<void> {
    const rest = await this.#sessions.relay(session, message)
    if (rest === undefined) exchange.reply.send(202, { ...exchange.headers })
    else if (Array.isArray(rest)) await this.#answer(session, exchange, rest, mode)
    else this.#accept(session, exchange, rest)
  }

  async #findOrRefuse(exchange: HttpExchange): Promise<HttpSession | undefined> {
    const found = await this.#find(exchange)
    const refused = 'refused' in found ? found.refused : this.#refuseVersion(exchange)
    if (refused === undefined) return (found as { session: HttpSession }).session
    refuseRequest(exchange.reply, refused, exchange.headers)
    return undefined
  }

  #find({ request, auth }: HttpExchange): MaybePromise<Found> {
    const id = request.header('mcp-session-id')
    if (id === undefined)
      return {
        refused: refusal(400, 'Bad request: Mcp-Session-Id is required after initialize, in revisions with sessions'),
      }
    const session = this.#sessions.find(id, auth)
    return session instanceof Promise ? session.then(orNotFound) : orNotFound(session)
  }

  /** Without the header, the session itself says which version is spoken. */
  #refuseVersion({ request }: HttpExchange): HttpRefusal | undefined {
    const version = request.header('mcp-protocol-version')
    const supported: readonly string[] = this.#definition.sessionRevisions
    if (version === undefined || supported.includes(version)) return undefined
    return refusal(400, `Bad request: unsupported MCP-Protocol-Version (supported: ${supported.join(', ')})`)
  }
}

/** Nothing says that it is of a revision with sessions: it may be of one that has nothing but POST. */
const belongsNowhere = (request: HttpRequest): boolean =>
  request.header('mcp-session-id') === undefined && request.header('mcp-protocol-version') === undefined

const withoutSession = { allow: 'POST', why: 'it needs Mcp-Session-Id, the id of a session' }

const orNotFound = (session: HttpSession | undefined): Found =>
  session === undefined ? { refused: refusal(404, 'Session not found') } : { session }
