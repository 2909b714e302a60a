import type { OAuth, OAuthReply, OAuthRequest } from '@tenon/sdk/auth'
import { type AuthChallenge, type AuthRequest, type ClientAuth, type HttpEvent, isMcpError } from '@tenon/sdk/client'
import type { AuthorizationExchange, AuthorizationFlow } from '../protocol.ts'
import { heldExchange, keepOutcome } from './exchange.ts'
import { note } from './explain/known.ts'
import { Flow } from './flow.ts'
import { Gate } from './gate.ts'
import { learnClient, learnFromChallenge, learnFromReply } from './learn.ts'
import { RequestWatch } from './request-watch.ts'
import { failedStep, stepOf, strayFinding } from './which-step.ts'

const maxFlows = 6

type Headers = { [name: string]: string }
const hasToken = (headers: Headers): boolean => Object.keys(headers).some((name) => /^authorization$/i.test(name))

/** The events of the tracer. */
interface TracerListeners {
  changed(): void
  /** A flow has come to its end: there may be another token now, or none. */
  ended(): void
}

/** Wraps the authorization of the library: records its requests, and holds them while the person goes step by step. */
export class Tracer {
  readonly auth: ClientAuth
  readonly #about: { server: URL; clientId?: string }
  readonly #oauth: OAuth
  readonly #listeners: TracerListeners
  readonly #gate = new Gate()
  readonly #watch: RequestWatch
  #flows: Flow[] = []
  #count = 0
  /** Of the connection that is shown, or of the request that was refused last. */
  #flow: Flow | undefined
  /** Beside it: a token that is renewed before a server refuses it, or revoked. */
  #beside: Flow | undefined

  constructor(about: { server: URL; clientId?: string }, oauth: OAuth, listeners: TracerListeners) {
    this.#about = about
    this.#oauth = oauth
    this.#listeners = listeners
    this.#watch = new RequestWatch({
      answered: (exchange) => this.#answered(exchange),
      broken: (why, isEnded) => this.#broken(why, isEnded),
    })
    this.auth = {
      headers: (request) => this.#headers(request),
      challenged: (challenge) => this.#challenged(challenge),
      answered: (request, reply) => oauth.answered?.(request, reply),
    }
  }

  get halting(): boolean {
    return this.#gate.halting
  }

  get flows(): AuthorizationFlow[] {
    return this.#flows.map(({ view }) => view)
  }

  /** A connection is made: earlier flows are over. */
  begin(): void {
    this.#flow?.cancel()
    this.#flow = this.#newFlow('sign-in')
  }

  clear(): void {
    this.#flow?.cancel()
    this.#flow = undefined
    this.#flows = []
    this.#listeners.changed()
  }

  halt(halting: boolean): void {
    this.#gate.halt(halting)
    this.#listeners.changed()
  }

  next(): boolean {
    return this.#gate.next()
  }

  http(event: HttpEvent): void {
    this.#watch.event(event)
  }

  // Callbacks of the library

  /** A request of authorization, before it is sent. */
  async sends(request: OAuthRequest): Promise<(outcome: OAuthReply | Error) => void> {
    const flow = this.#obtaining()
    const name = stepOf(request)
    const step = flow.enter(name)
    const exchange = heldExchange(request, flow.hider)
    flow.add(exchange)
    await this.#pass(flow, exchange, request.signal)
    const start = performance.now()
    return (outcome) => {
      exchange.durationMs = performance.now() - start
      learnFromReply(flow, step, exchange, keepOutcome(exchange, outcome, flow.hider))
      flow.show()
    }
  }

  /** The page where the person agrees, before it is shown. */
  async visits(page: URL, signal: AbortSignal): Promise<void> {
    const flow = this.#obtaining()
    learnClient(flow.known, page)
    flow.enter('client')
    flow.known.page = page
    flow.enter('consent')
    flow.show()
    await this.#pass(flow, undefined, signal)
  }

  cameBack(back: URL): void {
    const flow = this.#obtaining()
    flow.known.back = back
    flow.enter('redirect')
    flow.show()
  }

  /** A redirect came that does not belong to this flow. */
  stray(url: URL): void {
    const { page } = this.#flow?.known ?? {}
    const finding = page && strayFinding(url, page)
    if (finding === undefined || this.#flow?.phase !== 'obtaining') return
    this.#flow.enter('redirect')
    this.#flow.say(finding)
  }

  /** Revokes the token; this is not shown step by step. */
  async signOut(revoke: () => Promise<boolean>): Promise<void> {
    this.#flow?.cancel()
    const flow = this.#newFlow('sign-out')
    this.#beside = flow
    try {
      const isTold = await revoke()
      if (flow.current === undefined) this.#flows = this.#flows.filter((other) => other !== flow)
      else if (!isTold) {
        flow.enter('revocation')
        flow.say(note('The authorization server takes no tokens back: it is good until it expires, and forgotten here'))
      }
      flow.finish()
    } catch (error) {
      flow.fail(flow.current ?? 'issuer', wordsOf(error))
      throw error
    } finally {
      this.#beside = undefined
    }
  }

  // The requests of the connection

  async #headers(request: AuthRequest): Promise<Headers> {
    let headers: Headers
    try {
      headers = await this.#oauth.headers(request)
    } finally {
      if (this.#beside?.view.cause === 'renewal') {
        this.#beside.finish()
        this.#beside = undefined
      }
    }
    await this.#goes(request, headers)
    return headers
  }

  /** The first request of a flow, and the first with its token, are steps. */
  async #goes({ method, url, signal }: AuthRequest, headers: Headers): Promise<void> {
    const flow = this.#flow
    const isFirst = flow?.phase === 'first' && !flow.isAsked
    const isSecond = flow?.phase === 'second' && !flow.isRepeated && hasToken(headers)
    if (flow === undefined || !(isFirst || isSecond)) return
    if (isFirst && hasToken(headers)) flow.view.cause = 'stored'
    flow.isAsked = true
    flow.isRepeated = hasToken(headers)
    const exchange: AuthorizationExchange = {
      method,
      url: url.href,
      headers: flow.hider.headers(headers),
      state: 'held',
    }
    flow.enter(hasToken(headers) ? 'retry' : 'request')
    flow.add(exchange)
    await this.#pass(flow, exchange, signal)
    this.#watch.expect(exchange)
  }

  #answered({ status }: AuthorizationExchange): void {
    const flow = this.#flow
    if (flow?.current !== 'request' && flow?.current !== 'retry') return
    // A refusal is followed by a challenge, which decides the next step.
    if (status === 401 || status === 403) flow.show()
    else flow.finish()
  }

  #broken(why: string, isEnded: boolean): void {
    const flow = this.#flow
    if (flow?.current !== 'request' && flow?.current !== 'retry') return
    if (isEnded) flow.cancel()
    else flow.fail(flow.current, `The server does not answer: ${why}`)
  }

  async #challenged(challenge: AuthChallenge): Promise<boolean> {
    const flow = this.#refused(challenge)
    if (flow === undefined) return this.#oauth.challenged(challenge)
    flow.phase = 'obtaining'
    try {
      const again = await this.#oauth.challenged(challenge)
      if (flow.view.over) return again
      if (!again) flow.finish()
      flow.phase = again ? 'second' : 'over'
      flow.isRepeated = false
      return again
    } catch (error) {
      if (isMcpError(error) && error.code === 'cancelled') flow.cancel()
      else flow.fail(failedStep(error, flow.current), wordsOf(error))
      throw error
    }
  }

  /** The flow that a refusal belongs to; undefined if it is answered by one that is under way. */
  #refused(challenge: AuthChallenge): Flow | undefined {
    const { method, url, status, sent } = challenge
    const current = this.#flow
    const exchange = this.#watch.takeRefused(method, url)
    if (method === 'DELETE' || current?.phase === 'obtaining') return undefined
    if (current?.phase === 'second' && !hasToken(sent)) return undefined
    // The token that was just obtained is not good enough: its own flow shows that.
    if (current?.phase === 'second' && current.isRepeated && status === 401) return current
    const isFirst = current?.phase === 'first' && current.current === 'request'
    const flow = isFirst ? current : this.#follow(status === 403 ? 'step-up' : hasToken(sent) ? 'renewal' : 'sign-in')
    flow.enter('request')
    const known = { method, url: url.href, headers: flow.hider.headers(sent), state: 'answered' as const, status }
    if (!isFirst) flow.add(exchange ?? known)
    learnFromChallenge(flow.known, challenge)
    flow.show()
    return flow
  }

  #follow(cause: AuthorizationFlow['cause']): Flow {
    const before = this.#flow
    if (before?.phase === 'first' || before?.phase === 'second') before.finish()
    // A flow without requests is not shown.
    if (before?.view.cause === 'sign-in' && before.known.status === undefined) {
      this.#flows = this.#flows.filter((flow) => flow !== before)
    }
    this.#flow = this.#newFlow(cause)
    return this.#flow
  }

  #obtaining(): Flow {
    if (this.#beside !== undefined) return this.#beside
    if (this.#flow?.phase === 'obtaining') return this.#flow
    this.#beside = this.#newFlow('renewal')
    return this.#beside
  }

  #newFlow(cause: AuthorizationFlow['cause']): Flow {
    this.#count += 1
    const { changed, ended } = this.#listeners
    const flow = new Flow({ id: this.#count, cause }, { ...this.#about, otherSchemes: [] }, { changed, ended })
    this.#flows = [...this.#flows, flow].slice(-maxFlows)
    return flow
  }

  /** Waits for the person, if they want to look first. */
  async #pass(flow: Flow, exchange: AuthorizationExchange | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (this.#gate.halting && flow.view.cause !== 'sign-out') {
      flow.hold(true)
      try {
        await this.#gate.hold(signal)
      } catch (error) {
        flow.cancel()
        throw error
      }
      flow.hold(false)
    }
    if (exchange !== undefined) exchange.state = 'sent'
    this.#listeners.changed()
  }
}

/** The message of an error, without its request, which is shown, and without options of the library. */
const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .split('\n')[0]!
    .replace(/ \((?:deviations|network)\.[^)]*\)/, '')
