import type { HttpEvent } from '@tenon/sdk/client'
import type { AuthorizationExchange } from '../protocol.ts'

interface Watched {
  exchange: AuthorizationExchange
  at: number
  /** Whether it is a step of a flow. */
  isStep: boolean
}

/** Receives the outcome of requests that are steps. */
interface StepListeners {
  answered(exchange: AuthorizationExchange): void
  /** There is no answer; `isEnded` if the request was aborted. */
  broken(why: string, isEnded: boolean): void
}

const isRefused = (status: number | undefined): boolean => status === 401 || status === 403

/** Finds the requests of a connection that belong to steps, and remembers the one that was refused last. */
export class RequestWatch {
  readonly #open = new Map<number, Watched>()
  readonly #listeners: StepListeners
  #expected: AuthorizationExchange | undefined
  #refused: AuthorizationExchange | undefined

  constructor(listeners: StepListeners) {
    this.#listeners = listeners
  }

  /** The next request like this is a step. */
  expect(exchange: AuthorizationExchange): void {
    this.#expected = exchange
  }

  /** The request that was refused last, if it was one like this. */
  takeRefused(method: string, url: URL): AuthorizationExchange | undefined {
    const refused = this.#refused
    this.#refused = undefined
    return refused?.method === method && new URL(refused.url).pathname === url.pathname ? refused : undefined
  }

  event(event: HttpEvent): void {
    if (event.phase === 'request') this.#sent(event)
    else if (event.phase === 'reply') this.#replied(event)
    else this.#over(event)
  }

  #sent({ id, method, url, headers, at }: HttpEvent): void {
    const isStep = this.#expected?.method === method
    const exchange: AuthorizationExchange = isStep ? this.#expected! : { method, url, headers, state: 'sent' }
    if (isStep) this.#expected = undefined
    Object.assign(exchange, { url, headers, state: 'sent' })
    this.#open.set(id, { exchange, at, isStep })
  }

  #replied({ id, status, headers, at }: HttpEvent): void {
    const watched = this.#open.get(id)
    if (watched === undefined) return
    this.#open.delete(id)
    const { exchange, isStep } = watched
    Object.assign(exchange, { state: 'answered', status, replyHeaders: headers, durationMs: at - watched.at })
    if (isRefused(status)) this.#refused = exchange
    if (isStep) this.#listeners.answered(exchange)
  }

  /** It ended without an answer. */
  #over({ id, error, aborted, at }: HttpEvent): void {
    const watched = this.#open.get(id)
    if (watched === undefined) return
    this.#open.delete(id)
    const { exchange, isStep } = watched
    const words = error?.message ?? 'It was ended'
    Object.assign(exchange, { state: 'failed', error: words, durationMs: at - watched.at })
    if (isStep) this.#listeners.broken(words, aborted === true)
  }
}
