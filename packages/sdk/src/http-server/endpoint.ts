import { ErrorCode, isMcpError } from '../errors.ts'
import type { Authenticate, AuthRefusal } from '../http/authenticate.ts'
import {
  type BodyLimits,
  type HttpReply,
  type HttpRequest,
  hasTarget,
  type RequestBody,
  type UncheckedRequest,
} from '../http/request.ts'
import type { Budget } from '../internal/budget.ts'
import { isThenable, type MaybePromise } from '../internal/maybe-promise.ts'
import type { WireError } from '../jsonrpc/message.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { Definition } from '../server/definition/definition.ts'
import { type AnyServer, dispatcherOf } from '../server/server.ts'
import { TaskWork } from '../server/tasks/task-work.ts'
import { corsHeaders, preflightHeaders } from './checks/cors.ts'
import { parseJsonBody } from './checks/json-body.ts'
import { refuseForMemory } from './checks/memory-check.ts'
import { type HttpRefusal, methodNotAllowed, refusal, refuseRequest } from './checks/refusal.ts'
import { firstRefusal, originChecks, postChecks } from './checks/request-checks.ts'
import type { HttpExchange, HttpTransport, OpenCounts, PostExchange } from './http-transport.ts'
import { KeepAliveTimer } from './keep-alive.ts'
import { type HttpOptions, type HttpSettings, httpSettings } from './options.ts'
import { answerProbe, type HealthOptions, isProbe, probesOf } from './probes.ts'
import { RequestSlots, type SlotShortage } from './request-slots.ts'
import { httpTransports } from './transports.ts'

type Caller = Awaited<ReturnType<Authenticate>>

/** Serves a server over HTTP, in every revision, on any platform. */
export class Endpoint {
  readonly #definition: Definition
  readonly #settings: HttpSettings
  readonly #keepAlive: KeepAliveTimer
  readonly #transports: readonly HttpTransport[]
  readonly #bodyLimits: BodyLimits
  readonly #slots: RequestSlots
  readonly #work: TaskWork | undefined
  readonly #probes: HealthOptions | undefined
  #closing = false
  #closed = false

  constructor(server: AnyServer, options: HttpOptions = {}) {
    const dispatcher = dispatcherOf(server)
    this.#definition = dispatcher.definition
    this.#settings = httpSettings(options)
    if (options.spentStates !== undefined) this.#definition.useSpentStates(options.spentStates)
    this.#probes = probesOf(options.health)
    if (options.tasks !== undefined) this.#definition.useTasks(options.tasks)
    const { maxBodyBytes, bodyTimeoutMs, maxInFlight, maxInFlightPerPrincipal, keepAliveMs } = this.#settings
    this.#bodyLimits = { maxBodyBytes, bodyTimeoutMs, budget: this.budget }
    this.#slots = new RequestSlots({ max: maxInFlight, maxPerCaller: maxInFlightPerPrincipal })
    this.#keepAlive = new KeepAliveTimer(keepAliveMs)
    this.#transports = httpTransports(dispatcher, this.#settings, this.#keepAlive)
    if (this.#definition.sharesTasks) this.#work = new TaskWork(this.#definition)
  }

  /** The memory of the server for its clients, of which adapters use a part. */
  get budget(): Budget {
    return this.#definition.budget
  }

  /** How much is open, for monitoring and tests. */
  get open(): OpenCounts {
    const own = { inFlight: this.#slots.taken, streams: this.#keepAlive.size }
    return Object.assign({ ...nothingOpen, ...own }, ...this.#transports.map(({ open }) => open))
  }

  /** True if the head of a request alone shows that nothing has to be remembered to answer it. */
  answersAnywhere(request: UncheckedRequest): boolean {
    this.#unifyPath(request)
    return !hasTarget(request) || this.#transports.some((each) => each.answersAnywhere?.(request) === true)
  }

  /** Reports an error around a request to the operator; returns the id that the client gets instead. */
  report(error: unknown): string {
    return this.#definition.report(error, 'http')
  }

  /** Answers a request, sooner or later. Never throws. */
  handle(request: UncheckedRequest, reply: HttpReply): void {
    try {
      const handling = this.#handle(request, reply)
      if (handling instanceof Promise) handling.catch((error: unknown) => this.#failed(error, reply))
    } catch (error) {
      this.#failed(error, reply)
    }
  }

  /** Takes no new requests, lets those in flight finish within the bound, then ends everything. */
  async close(graceMs = 0): Promise<void> {
    this.#closing = true
    // They would not end by themselves, and their clients get to know that this is on purpose.
    for (const each of this.#transports) await each.endStreams?.()
    await Promise.all([this.#slots.emptied(graceMs), this.#work?.close(graceMs)])
    this.#closed = true
    this.#keepAlive.stop()
    for (const each of this.#transports) await each.close?.()
  }

  #handle(request: UncheckedRequest, reply: HttpReply): MaybePromise<void> {
    const settings = this.#settings
    // First of all: two readers could take such a request for two different ones.
    if (!hasTarget(request)) return refuseRequest(reply, notNormal)
    this.#unifyPath(request)
    if (request.ambiguous) return refuseRequest(reply, twoHosts)
    if (this.#probes !== undefined && isProbe(request)) return answerProbe(request, reply, this.#probes, this.#closing)
    const headers = corsHeaders(settings.cors, request)
    // Before the origin is checked: pages of every origin may read public answers.
    const open = settings.auth?.answerAnybody?.(request, settings.path)
    if (open !== undefined) return reply.send(open.status, open.headers, open.body)
    const refused = this.#refuseNew() ?? firstRefusal(originChecks, request, settings) ?? this.#refusePath(request)
    if (refused !== undefined) return refuseRequest(reply, refused, headers)
    if (request.method === 'OPTIONS' && settings.cors !== undefined) {
      return reply.send(204, { ...headers, ...preflightHeaders(settings.cors, request) })
    }
    const exchange: HttpExchange = { request, reply, settings, headers, auth: undefined, slot: undefined }
    return settings.auth === undefined ? this.#route(exchange) : this.#routeAuthenticated(exchange)
  }

  #failed(error: unknown, reply: HttpReply): void {
    const id = this.report(error)
    try {
      refuseRequest(reply, refusalFor(error, id))
    } catch {
      // The answer had begun, so there is nothing left to say.
    }
  }

  #refuseNew(): HttpRefusal | undefined {
    return this.#closing ? shuttingDown : undefined
  }

  /** A slash at the end makes no difference. Done before any check, so that all of them see the configured spelling. */
  #unifyPath(request: UncheckedRequest): void {
    const { path, ssePath } = this.#settings
    const { target } = request
    if (target === undefined || target.path === path) return
    const meant = differBySlash(path, target.path) ? path : differBySlash(ssePath, target.path) ? ssePath : undefined
    if (meant !== undefined) request.target = { path: meant, query: target.query }
  }

  #refusePath({ target }: HttpRequest): HttpRefusal | undefined {
    const { path, ssePath } = this.#settings
    if (path === undefined || target.path === path || target.path === ssePath) return undefined
    // A path in normal form has no character that could mean anything in an answer.
    return refusal(404, `Not found: ${target.path.slice(0, 200)} (the endpoint is at ${path})`)
  }

  #routeAuthenticated(exchange: HttpExchange): MaybePromise<void> {
    const caller = this.#settings.auth!(exchange.request, this.#settings.path)
    if (!isThenable(caller)) return this.#routeCaller(exchange, caller)
    return Promise.resolve(caller).then((found) => this.#routeCaller(exchange, found))
  }

  #routeCaller(exchange: HttpExchange, caller: Caller): MaybePromise<void> {
    // The endpoint may have begun to close in the meantime, and a stream that is opened then would stay.
    const denied = this.#refuseCaller(exchange, caller) ?? this.#refuseNew()
    if (denied !== undefined) return refuseRequest(exchange.reply, denied, exchange.headers)
    return this.#route(exchange)
  }

  #refuseCaller(exchange: HttpExchange, answer: Caller): HttpRefusal | undefined {
    if (answer !== undefined && 'principal' in answer) {
      exchange.auth = answer as AuthInfo
      return undefined
    }
    const { status = 401, headers, message = 'Unauthorized' } = (answer ?? {}) as Partial<AuthRefusal>
    return refusal(status, message, undefined, headers)
  }

  #route(exchange: HttpExchange): MaybePromise<void> {
    const { request, reply, headers } = exchange
    if (request.method === 'POST') return this.#post(exchange)
    const owner = this.#ownerOf(request, undefined)
    if (request.method === 'GET' && owner.get !== undefined) return owner.get(exchange)
    if (request.method === 'DELETE' && owner.delete !== undefined) return owner.delete(exchange)
    refuseRequest(reply, methodNotAllowed(owner, request.method), headers)
  }

  #ownerOf(request: HttpRequest, message: unknown): HttpTransport {
    return this.#transports.find((each) => each.owns(request, message))!
  }

  #post(exchange: HttpExchange): void {
    const { request, reply, headers } = exchange
    const refused = firstRefusal(postChecks, request, this.#settings) ?? this.#takeSlot(exchange)
    if (refused === undefined) this.#read(exchange as PostExchange)
    else refuseRequest(reply, refused, headers)
  }

  #takeSlot(exchange: HttpExchange): HttpRefusal | undefined {
    const slot = this.#slots.take(exchange.auth?.principal)
    if (typeof slot === 'string') return tooBusy[slot]
    exchange.slot = slot
    return undefined
  }

  #read(post: PostExchange): void {
    try {
      const reading = post.request.readBody(this.#bodyLimits)
      reading.then(
        (body) => this.#takeWithRoom(post, body),
        (error: unknown) => this.#fail(post, error),
      )
    } catch (error) {
      this.#fail(post, error)
    }
  }

  /** A client that does not read its answers gets no more requests in: otherwise the answers would pile up here. */
  #takeWithRoom(post: PostExchange, body: RequestBody): void {
    const room = post.reply.room?.()
    if (room === undefined) this.#take(post, body)
    else void room.then((isThere) => (isThere ? this.#takeWithRoom(post, body) : this.#take(post, gone(body))))
  }

  /** The body of a POST is there, or never will be. */
  #take(post: PostExchange, body: RequestBody): void {
    try {
      const answering = this.#answerBody(post, body)
      if (!(answering instanceof Promise)) post.slot.release()
      else
        answering.then(
          () => post.slot.release(),
          (error: unknown) => this.#fail(post, error),
        )
    } catch (error) {
      this.#fail(post, error)
    }
  }

  #fail({ slot, reply }: PostExchange, error: unknown): void {
    slot.release()
    this.#failed(error, reply)
  }

  #answerBody(post: PostExchange, body: RequestBody): MaybePromise<void> {
    const { request, reply, headers } = post
    if (this.#closed) return refuseRequest(reply, shuttingDown, headers)
    const read = parseJsonBody(body, this.#settings)
    if ('hold' in body) body.hold?.release()
    if ('refused' in read) return refuseRequest(reply, read.refused, headers)
    const refused = refuseForMemory(reply, body, read.value, this.budget)
    if (refused !== undefined) return refuseRequest(reply, refused, headers)
    return this.#ownerOf(request, read.value).post(post, read.value)
  }
}

const nothingOpen: OpenCounts = { inFlight: 0, streams: 0, sessions: 0, sessionStreams: 0, sse: 0, listens: 0 }
const notNormal = refusal(400, 'Bad request: the target is not a path in normal form')
// Some proxies take the first of two lines, some the last: nobody should depend on that.
const twoHosts = refusal(400, 'Bad request: more than one Host')
const shuttingDown = refusal(503, 'The server is shutting down', undefined, { connection: 'close' })
const tooBusy: { [shortage in SlotShortage]: HttpRefusal } = {
  server: refusal(503, 'Too many requests are in flight', undefined, { 'retry-after': '1' }),
  caller: refusal(429, 'Too many requests of this caller are in flight', undefined, { 'retry-after': '1' }),
}

/** Stores that are away come back: the client may try again. */
const refusalFor = (error: unknown, id: string): HttpRefusal =>
  isMcpError(error) && error.code === 'unavailable'
    ? { status: 503, error: unavailableError(id), headers: { 'retry-after': '1' } }
    : refusal(500, `Internal error (id ${id})`, ErrorCode.InternalError)

/** The reason is the one that a call gets whose handler needed the store. */
const unavailableError = (id: string): WireError => ({
  code: ErrorCode.InternalError,
  message: `The server cannot answer at the moment (id ${id})`,
  data: { id, reason: 'unavailable' },
})

const differBySlash = (one: string | undefined, other: string): boolean =>
  one !== undefined && (one.length < other.length ? `${one}/` === other : one === `${other}/`)

/** The body of a client that left before it was read. */
function gone(body: RequestBody): RequestBody {
  if ('hold' in body) body.hold?.release()
  return { status: 408 }
}
