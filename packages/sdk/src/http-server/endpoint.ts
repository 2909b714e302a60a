import type { Budget } from '../budget.ts'
import { ErrorCode } from '../errors.ts'
import { heapBytesOf } from '../heap-size.ts'
import { classify, explainInvalid } from '../jsonrpc/classify.ts'
import type { JsonObject, Request } from '../jsonrpc/message.ts'
import { type PeerOptions, peerDefaults } from '../jsonrpc/peer-options.ts'
import type { AuthInfo, ConnectionInfo } from '../server/caller.ts'
import type { Definition } from '../server/definition/definition.ts'
import type { Dispatcher } from '../server/dispatch/dispatcher.ts'
import { type AnyServer, dispatcherOf } from '../server/server.ts'
import { OpenSubscriptions } from '../server/subscriptions/open-subscriptions.ts'
import type { Soon } from '../soon.ts'
import { readAccept } from './accept.ts'
import { readJson } from './body.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { isModern, namesModern, refuseHandshakes } from './era-of-request.ts'
import { HttpSse } from './http-sse.ts'
import { handleLegacyDelete, handleLegacyGet, handleLegacyPost, type LegacyCall } from './legacy.ts'
import { answerModern } from './modern.ts'
import { annotationsOf } from './modern-checks.ts'
import { mortalReply } from './mortal-reply.ts'
import { type AuthRefusal, type HttpOptions, type ResponseMode, type Settings, settingsOf } from './options.ts'
import { type Place, Places, type Shortage } from './places.ts'
import { Pulse } from './pulse.ts'
import { about, type HttpRefusal, refusal, refuse, usedUp } from './refusal.ts'
import { atTheDoor, beforeTheBody, firstRefusal, refuseAcceptStream } from './refusals.ts'
import {
  type ArrivingRequest,
  type Body,
  type BodyLimits,
  type HttpReply,
  type HttpRequest,
  hasTarget,
  largeBody,
  type ReplyHeaders,
} from './request.ts'
import { Sessions } from './sessions.ts'

/** A request on its way through the endpoint. */
interface Visit {
  readonly request: HttpRequest
  readonly reply: HttpReply
  readonly path: string
  /** Headers of every answer to this request. */
  readonly headers: ReplyHeaders | undefined
  auth: AuthInfo | undefined
  /** Taken before the body is read, and held until the answer is complete, or will not come. */
  place: Place | undefined
}

/** A request with a place. */
interface Post extends Visit {
  place: Place
}

/** Serves a server over HTTP, in every revision, on any platform. */
export class Endpoint {
  readonly #dispatcher: Dispatcher
  readonly #definition: Definition
  readonly #settings: Settings
  readonly #pulse: Pulse
  readonly #sessions: Sessions
  readonly #sse: HttpSse
  readonly #listens: OpenSubscriptions
  readonly #bodyLimits: BodyLimits
  readonly #places: Places
  #closing = false
  #closed = false

  constructor(server: AnyServer, options: HttpOptions = {}) {
    this.#dispatcher = dispatcherOf(server)
    this.#definition = this.#dispatcher.definition
    this.#settings = settingsOf(options)
    const { keepAliveMs, eventLog, retryMs, sessionStore, bus, maxSessions, idleMs, maxListens } = this.#settings
    const { maxBodyBytes, bodyTimeoutMs } = this.#settings
    const { budget } = this.#definition
    this.#bodyLimits = { maxBodyBytes, bodyTimeoutMs, budget }
    eventLog?.useBudget?.(budget)
    const { maxInFlight: max, maxInFlightPerPrincipal: maxPerCaller } = this.#settings
    this.#places = new Places({ max, maxPerCaller })
    this.#pulse = new Pulse(keepAliveMs)
    this.#listens = new OpenSubscriptions(maxListens)
    const limits = this.#sessionLimits()
    this.#sessions = new Sessions(
      sessionStore,
      { max: maxSessions, idleMs },
      {
        dispatcher: this.#dispatcher,
        limits,
        log: eventLog,
        pulse: this.#pulse,
        retryMs,
        now: () => performance.now(),
      },
      bus,
    )
    this.#sse = new HttpSse(this.#dispatcher, this.#pulse, maxSessions, limits)
    this.#reportAnnotations()
  }

  /** What is kept for clients, of which adapters keep a part. */
  get budget(): Budget {
    return this.#definition.budget
  }

  /** How much is open, for whoever watches. */
  get open(): {
    sessions: number
    sse: number
    inFlight: number
    streams: number
    sessionStreams: number
    listens: number
  } {
    return {
      listens: this.#listens.size,
      sessions: this.#sessions.size,
      sessionStreams: this.#sessions.openStreams,
      sse: this.#sse.size,
      inFlight: this.#places.taken,
      streams: this.#pulse.size,
    }
  }

  /** True if the head of a request alone shows that nothing has to be remembered to answer it. */
  standsAlone(request: ArrivingRequest): boolean {
    if (!hasTarget(request)) return true
    return (
      request.method === 'POST' &&
      this.#definition.speaksAlone &&
      namesModern(request) &&
      request.header('mcp-session-id') === undefined &&
      request.target.path !== this.#settings.ssePath
    )
  }

  /** Tells the operator what went wrong around a request; returns the id that the peer gets instead. */
  report(error: unknown): string {
    return this.#definition.report(error, 'http')
  }

  /** Answers a request, sooner or later. Never throws. */
  handle(request: ArrivingRequest, reply: HttpReply): void {
    try {
      const handling = this.#handle(request, reply)
      if (handling instanceof Promise) handling.catch((error: unknown) => this.#failed(error, reply))
    } catch (error) {
      this.#failed(error, reply)
    }
  }

  /** Takes nothing new, lets what is in work finish within the bound, then ends everything. */
  async close(graceMs = 0): Promise<void> {
    this.#closing = true
    // They would not end by themselves, and their clients shall know that this is on purpose.
    await this.#listens.end()
    await this.#sse.close()
    await this.#places.emptied(graceMs)
    this.#closed = true
    this.#pulse.stop()
    await this.#sessions.close()
  }

  #handle(request: ArrivingRequest, reply: HttpReply): Soon<void> {
    const settings = this.#settings
    // Before anybody looks: two readers could take such a request for two different ones.
    if (!hasTarget(request)) return refuse(reply, notNormal)
    if (request.ambiguous) return refuse(reply, twoHosts)
    const headers = corsHeaders(settings.cors, request)
    // Before the door: what is public may be read by pages of every origin.
    const open = settings.auth?.answerAnybody?.(request, settings.path)
    if (open !== undefined) return reply.send(open.status, open.headers, open.body)
    const refused = this.#refuseNow() ?? firstRefusal(atTheDoor, request, settings)
    if (refused !== undefined) return refuse(reply, refused, headers)
    const visit: Visit = { request, reply, path: request.target.path, headers, auth: undefined, place: undefined }
    const isSse = visit.path === settings.ssePath
    if (!isSse && settings.path !== undefined && visit.path !== settings.path) {
      return refuse(reply, refusal(404, 'Not found'), headers)
    }
    if (request.method === 'OPTIONS' && settings.cors !== undefined) {
      return reply.send(204, { ...headers, ...preflightHeaders(settings.cors, request) })
    }
    return settings.auth === undefined ? this.#route(visit) : this.#routeKnown(visit)
  }

  #failed(error: unknown, reply: HttpReply): void {
    const id = this.report(error)
    try {
      refuse(reply, refusal(500, `Internal error (id ${id})`, ErrorCode.InternalError))
    } catch {
      // The answer had begun, so there is nothing left to say.
    }
  }

  #refuseNow(): HttpRefusal | undefined {
    return this.#closing ? shuttingDown : undefined
  }

  async #routeKnown(visit: Visit): Promise<void> {
    // It may have begun to close in the meantime, and what is opened then would stay.
    const denied = (await this.#authenticate(visit)) ?? (this.#closing ? shuttingDown : undefined)
    if (denied !== undefined) return refuse(visit.reply, denied, visit.headers)
    await this.#route(visit)
  }

  async #authenticate(visit: Visit): Promise<HttpRefusal | undefined> {
    const answer = await this.#settings.auth!(visit.request, this.#settings.path)
    if (answer !== undefined && 'principal' in answer) {
      visit.auth = answer as AuthInfo
      return undefined
    }
    const { status = 401, headers, message = 'Unauthorized' } = (answer ?? {}) as Partial<AuthRefusal>
    return refusal(status, message, undefined, headers)
  }

  #route(visit: Visit): Soon<void> {
    const isSse = visit.path === this.#settings.ssePath
    switch (visit.request.method) {
      case 'POST':
        return this.#post(visit)
      case 'GET':
        return isSse ? this.#listenToSse(visit) : this.#get(visit)
      case 'DELETE':
        if (isSse || !this.#mayHaveSession(visit)) return this.#notAllowed(visit)
        return handleLegacyDelete(this.#legacyCall(visit))
      default:
        return this.#notAllowed(visit)
    }
  }

  #post(visit: Visit): void {
    const settings = this.#settings
    const refused = firstRefusal(beforeTheBody, visit.request, settings)
    if (refused !== undefined) {
      refuse(visit.reply, refused, visit.headers)
      return
    }
    const place = this.#places.take(visit.auth?.principal)
    if (typeof place === 'string') {
      refuse(visit.reply, tooBusy[place], visit.headers)
      return
    }
    visit.place = place
    const post = visit as Post
    try {
      const reading = visit.request.readBody(this.#bodyLimits)
      reading.then(
        (body) => this.#takeWithRoom(post, body),
        (error: unknown) => this.#fail(post, error),
      )
    } catch (error) {
      this.#fail(post, error)
    }
  }

  /** Who does not read the answers gets no more questions in: otherwise the answers would pile up here. */
  #takeWithRoom(post: Post, body: Body): void {
    const room = post.reply.room?.()
    if (room === undefined) this.#take(post, body)
    else void room.then((isThere) => (isThere ? this.#takeWithRoom(post, body) : this.#take(post, gone(body))))
  }

  /** The body of a POST is there, or never will be. */
  #take(post: Post, body: Body): void {
    try {
      const answering = this.#answerBody(post, body)
      if (!(answering instanceof Promise)) post.place.release()
      else
        answering.then(
          () => post.place.release(),
          (error: unknown) => this.#fail(post, error),
        )
    } catch (error) {
      this.#fail(post, error)
    }
  }

  #fail({ place, reply }: Post, error: unknown): void {
    place.release()
    this.#failed(error, reply)
  }

  #answerBody(visit: Post, body: Body): Soon<void> {
    const { request, reply, headers, path } = visit
    if (this.#closed) return refuse(reply, shuttingDown, headers)
    const read = readJson(body, this.#settings)
    if ('hold' in body) body.hold?.release()
    if ('refused' in read) return refuse(reply, read.refused, headers)
    const { value } = read
    const crowded = this.#refuseCrowd(visit, body, value)
    if (crowded !== undefined) return refuse(reply, crowded, headers)
    if (path === this.#settings.ssePath) return this.#receiveForSse(visit, value)
    const mode = this.#modeFor(request)
    if (isModern(this.#definition, value, request)) return this.#modern(visit, value as JsonObject, mode)
    const refused = refuseHandshakes(this.#definition, value, request)
    if (refused !== undefined) return refuse(reply, refused, headers)
    return handleLegacyPost(this.#legacyCall(visit), value, mode)
  }

  /** A large request is measured before it is kept; a small one is counted once it turns out that it is kept. */
  #refuseCrowd({ reply }: Visit, body: Body, value: unknown): HttpRefusal | undefined {
    const isLarge = 'text' in body && body.text.length > largeBody
    const isCrowded = reply.crowded === true
    if (!isLarge && !isCrowded) return undefined
    // Answers and cancellations make room for others.
    if (!Array.isArray(value) && classify(value) !== 'request') return undefined
    const { budget } = this.#definition
    if (!isCrowded && budget.fits('calls', heapBytesOf(value))) return undefined
    return usedUp(budget.usedUp(isCrowded ? 'unsent' : 'calls').toWire(), (value as Partial<Request>).id)
  }

  #get(visit: Visit): Soon<void> {
    if (!this.#mayHaveSession(visit)) return this.#notAllowed(visit)
    const refused = refuseAcceptStream(visit.request, this.#settings)
    if (refused !== undefined) return refuse(visit.reply, refused, visit.headers)
    return handleLegacyGet(this.#legacyCall(this.#mortal(visit)))
  }

  #listenToSse(visit: Visit): void {
    const { request, reply, headers, path, auth } = visit
    const refused = refuseAcceptStream(request, this.#settings)
    if (refused !== undefined) refuse(reply, refused, headers)
    else this.#sse.listen(path, this.#mortal(visit).reply, headers, auth)
  }

  #receiveForSse({ request, reply, headers, auth }: Visit, value: unknown): Promise<void> {
    const id = new URLSearchParams(request.target.query).get('sessionId')
    return this.#sse.receive(id, value, reply, headers, { request, settings: this.#settings, auth })
  }

  #modern(visit: Post, value: JsonObject, mode: ResponseMode): Soon<void> {
    const { reply, headers } = visit
    const kind = classify(value)
    if (kind === 'notification') return reply.send(202, { ...headers })
    if (kind !== 'request') {
      const problem = kind === 'invalid' ? explainInvalid(value) : { message: notForClients, id: undefined }
      return refuse(reply, about(problem.id, refusal(400, problem.message)), headers)
    }
    const message = value as unknown as Request
    return message.method === 'subscriptions/listen' ? this.#listen(visit, message) : this.#answer(visit, message, mode)
  }

  #answer({ request, reply, headers, auth }: Visit, message: Request, mode: ResponseMode): Soon<void> {
    const info: ConnectionInfo = auth === undefined ? { transport: 'http' } : { transport: 'http', auth }
    return answerModern({
      dispatcher: this.#dispatcher,
      message,
      request,
      reply,
      mode,
      headers,
      info,
      settings: this.#settings,
      pulse: this.#pulse,
      listens: this.#listens,
    })
  }

  /** Stays open for as long as the client likes, so it is no work, and always a stream. */
  #listen(visit: Post, message: Request): Soon<void> {
    const { request, reply, headers } = visit
    const { json, sse } = readAccept(request.header('accept'))
    const refused = sse
      ? this.#listens.full
        ? tooManyListens
        : undefined
      : refuseAcceptStream(request, this.#settings)
    if (refused !== undefined) return refuse(reply, about(message.id, refused), headers)
    visit.place.release()
    return this.#answer(this.#mortal(visit), message, json ? 'auto' : 'sse')
  }

  /** One client may hold only a small part of all places. */
  #sessionLimits(): PeerOptions {
    const { peerOptions } = this.#dispatcher
    const { maxIncoming = peerDefaults.maxIncoming } = peerOptions
    return { ...peerOptions, maxIncoming: Math.min(maxIncoming, this.#settings.maxInFlightPerSession) }
  }

  /** What stays open for long stays open for no longer than its token is good. */
  #mortal(visit: Visit): Visit {
    const reply = mortalReply(visit, this.#settings.auth)
    return reply === visit.reply ? visit : { ...visit, reply }
  }

  #mayHaveSession({ request }: Visit): boolean {
    return this.#definition.handshakeRevisions.length > 0 && request.header('mcp-session-id') !== undefined
  }

  #notAllowed({ reply, headers }: Visit): void {
    const allow = this.#definition.handshakeRevisions.length > 0 ? 'GET, POST, DELETE' : 'POST'
    refuse(reply, refusal(405, 'Method not allowed', undefined, { allow }), headers)
  }

  #modeFor(request: HttpRequest): ResponseMode {
    const { json, sse } = readAccept(request.header('accept'))
    if (!sse) return 'json'
    return json ? this.#settings.responseMode : 'sse'
  }

  #legacyCall({ request, reply, headers, auth }: Visit): LegacyCall {
    const definition = this.#definition
    return {
      definition,
      settings: this.#settings,
      sessions: this.#sessions,
      pulse: this.#pulse,
      request,
      reply,
      headers,
      auth,
    }
  }

  /** Clients drop a tool whose annotations are wrong, without a word to whoever wrote it: so the word comes from here. */
  #reportAnnotations(): void {
    for (const tool of this.#definition.tools) {
      for (const problem of annotationsOf(tool).problems) {
        this.#definition.report(new Error(`Tool ${tool.name} cannot be used over HTTP: ${problem}`), 'http')
      }
    }
  }
}

const notNormal = refusal(400, 'Bad request: the target is not a path in normal form')
// Some proxies take the first of two lines, some the last: nobody should depend on that.
const twoHosts = refusal(400, 'Bad request: more than one Host')
const shuttingDown = refusal(503, 'The server is shutting down', undefined, { connection: 'close' })
const tooBusy: { [shortage in Shortage]: HttpRefusal } = {
  server: refusal(503, 'Too many requests are in flight', undefined, { 'retry-after': '1' }),
  caller: refusal(429, 'Too many requests of this caller are in flight', undefined, { 'retry-after': '1' }),
}
const tooManyListens = refusal(503, 'Too many subscriptions are open', undefined, { 'retry-after': '5' })
const notForClients = 'Invalid request: clients send requests and notifications only'

/** What is left of a body whose sender left before it was looked at. */
function gone(body: Body): Body {
  if ('hold' in body) body.hold?.release()
  return { status: 408 }
}
