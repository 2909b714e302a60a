import { ErrorCode, type JsonObject, McpError, RpcError } from '@tenon/sdk/client'
import { type BackendRequest, hasSameRights, type RawQuestion, type RawSender } from '@tenon/sdk/relay'
import { type InputRequired, inputRequired } from '@tenon/sdk/server'
import { callOptions } from './calls.ts'
import type { Link } from './link.ts'
import type { Bounds } from './options.ts'
import { Outbox } from './outbox.ts'
import { Questions } from './questions.ts'
import type { Running } from './running.ts'
import { runCall } from './tasks.ts'

/** Where a call is to be made, and what to do with its result when it is over; undefined if it failed. */
export interface Way {
  link: Link
  sender: RawSender
  done(result: JsonObject | undefined): void
}

/**
 * One call of a client that can only be asked with an answer, at a server that asks while it works. The call at the server
 * goes on: a second one would do everything twice. The client gets the questions as the result of its request, and
 * comes back with the answers to wait for the same call again.
 */
export class HeldCall implements Running {
  readonly id: string = crypto.randomUUID()
  readonly logLevel: Running['logLevel']
  readonly hearsLogs: boolean
  readonly canAsk = true
  /** The call is made with the rights of this token, so its result is for no other. */
  readonly auth: BackendRequest['caller']['auth']
  readonly #held: HeldCalls
  readonly #stop = new AbortController()
  readonly #questions = new Questions(() => this.#asked?.())
  readonly #outcome: Promise<JsonObject>
  /** The request that waits at the moment: its stream takes progress and messages. */
  #leg: { request: BackendRequest; outbox: Outbox } | undefined
  #ended = false
  #asked: (() => void) | undefined
  #expiry: ReturnType<typeof setTimeout> | undefined

  constructor(request: BackendRequest, way: Way, held: HeldCalls) {
    this.#held = held
    this.auth = request.caller.auth
    this.logLevel = request.logLevel
    this.hearsLogs = request.logLevel !== undefined
    this.#attend(request)
    this.#outcome = this.#run(request, way)
    // It may fail while nobody waits; who comes back hears of it.
    this.#outcome.catch(() => {})
  }

  async #run(request: BackendRequest, { link, sender, done }: Way): Promise<JsonObject> {
    // The signal of the first request ends with it, and the call does not.
    const options = { ...callOptions(request, sender, this), signal: this.#stop.signal }
    let result: JsonObject | undefined
    try {
      result = await runCall(link, this, request, options)
      return result
    } finally {
      this.#ended = true
      done(result)
    }
  }

  // Running

  ask(question: RawQuestion): Promise<JsonObject> {
    return this.#questions.ask(question)
  }

  notify(method: string, params: JsonObject): void {
    if (this.#leg === undefined) return
    const { request, outbox } = this.#leg
    if (method !== 'notifications/progress') outbox.post(method, params)
    else if (request.progressToken !== undefined)
      outbox.post(method, { ...params, progressToken: request.progressToken })
  }

  // Rounds

  /** Waits for what comes next: the result, or questions. The answers that a request brought are given first. */
  async next(request: BackendRequest): Promise<JsonObject | InputRequired> {
    clearTimeout(this.#expiry)
    this.#attend(request)
    const cancel = (): void => this.abandon('The client cancelled the call')
    request.signal.addEventListener('abort', cancel, { once: true })
    if (request.signal.aborted) cancel()
    try {
      this.#questions.answer(request.input.responses)
      if (await this.#hasQuestions()) return this.#asking()
      return await this.#outcome.finally(() => this.#held.forget(this))
    } finally {
      request.signal.removeEventListener('abort', cancel)
      this.#leg = undefined
    }
  }

  /** Nobody waits for it any more. */
  abandon(reason: string): void {
    clearTimeout(this.#expiry)
    this.#held.forget(this)
    this.#questions.giveUp(reason)
    this.#stop.abort(new McpError('cancelled', reason))
  }

  #attend(request: BackendRequest): void {
    this.#leg = { request, outbox: new Outbox((method, params) => request.notify(method, params)) }
  }

  /** True when something is asked, false when the call is over. What is asked in one breath is asked together. */
  async #hasQuestions(): Promise<boolean> {
    while (true) {
      const asked = new Promise<void>((resolve) => {
        this.#asked = resolve
      })
      if (this.#questions.size === 0) await Promise.race([asked, this.#outcome.catch(() => {})])
      await new Promise((resolve) => setImmediate(resolve))
      this.#asked = undefined
      // First what is asked, also if the call is over: it may be of an earlier one, and the server still waits for it.
      if (this.#questions.size > 0) return true
      // Those that were asked may have been withdrawn again.
      if (this.#ended) return false
    }
  }

  #asking(): InputRequired {
    this.#expiry = setTimeout(() => this.abandon('The client did not come back with its answers'), this.#held.answerMs)
    this.#expiry.unref?.()
    return inputRequired({ requests: this.#questions.requests, state: { held: this.id } })
  }
}

/** The calls that wait for their clients, by what their clients bring back. */
export class HeldCalls {
  readonly #calls = new Map<string, HeldCall>()
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get answerMs(): number {
    return this.#bounds.answerMs
  }

  /** The call that a request goes on with; undefined if it is a new one. */
  resumed({ input, caller }: BackendRequest): HeldCall | undefined {
    const { held } = (input.state ?? {}) as { held?: string }
    if (held === undefined) return undefined
    const call = this.#calls.get(held)
    if (call === undefined || !hasSameRights(call.auth, caller.auth)) throw notWaiting()
    return call
  }

  start(request: BackendRequest, way: Way): HeldCall {
    const limit = this.#bounds.maxWaiting
    if (this.#calls.size >= limit) {
      way.done(undefined)
      throw new RpcError(ErrorCode.InternalError, `Too many calls wait for answers (the limit is ${limit})`, { limit })
    }
    const call = new HeldCall(request, way, this)
    this.#calls.set(call.id, call)
    return call
  }

  forget(call: HeldCall): void {
    this.#calls.delete(call.id)
  }

  close(): void {
    for (const call of [...this.#calls.values()]) call.abandon('The bridge was closed')
  }
}

const notWaiting = (): RpcError =>
  new RpcError(
    ErrorCode.InvalidParams,
    'requestState: the call that it belongs to does not wait any more, because it took too long, was cancelled, was made ' +
      'with another token, or the bridge was started again. What it did so far is done: call again without requestState to start anew',
  )
