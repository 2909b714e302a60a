import { ErrorCode, type JsonObject, McpError, RpcError } from '@tenon/sdk/client'
import type { BackendRequest, RawQuestion, RawSender } from '@tenon/sdk/relay'
import { type InputRequest, type InputRequired, inputRequired } from '@tenon/sdk/server'
import { callOptions } from './calls.ts'
import { cannotBeAsked } from './errors.ts'
import type { Link } from './link.ts'
import type { Bounds } from './options.ts'
import { Outbox } from './outbox.ts'
import { isQuestion, type Running } from './running.ts'
import { runCall } from './tasks.ts'

interface Pending {
  readonly question: RawQuestion
  answer(answer: JsonObject): void
  give(error: Error): void
}

/** Where a call is to be made, and what to do when it is over. */
export interface Way {
  link: Link
  sender: RawSender
  release(): void
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
  readonly #stop = new AbortController()
  readonly #questions = new Map<string, Pending>()
  readonly #outcome: Promise<JsonObject>
  /** The request that waits at the moment: its stream takes progress and messages. */
  #leg: BackendRequest | undefined
  #outbox: Outbox | undefined
  #count = 0
  #ended = false
  #asked: (() => void) | undefined
  #expiry: ReturnType<typeof setTimeout> | undefined
  readonly #held: HeldCalls

  constructor(request: BackendRequest, { link, sender, release }: Way, held: HeldCalls) {
    this.#held = held
    this.logLevel = request.logLevel
    this.hearsLogs = request.logLevel !== undefined
    this.#attend(request)
    // The signal of the first request ends with it, and the call does not.
    const options = { ...callOptions(request, sender, this), signal: this.#stop.signal }
    this.#outcome = runCall(link, this, request, options).finally(() => {
      this.#ended = true
      release()
    })
    // It may fail while nobody waits; who comes back hears of it.
    this.#outcome.catch(() => {})
  }

  // Running

  ask(question: RawQuestion): Promise<JsonObject> {
    if (!isQuestion(question.method)) return Promise.reject(cannotBeAsked(question.method))
    return new Promise((resolve, reject) => {
      const key = String(++this.#count)
      const withdraw = (): void => {
        this.#questions.delete(key)
        reject(question.signal.reason as Error)
      }
      const done = (): void => {
        this.#questions.delete(key)
        question.signal.removeEventListener('abort', withdraw)
      }
      question.signal.addEventListener('abort', withdraw, { once: true })
      this.#questions.set(key, {
        question,
        answer: (answer) => {
          done()
          resolve(answer)
        },
        give: (error) => {
          done()
          reject(error)
        },
      })
      this.#asked?.()
    })
  }

  notify(method: string, params: JsonObject): void {
    const leg = this.#leg
    if (leg === undefined) return
    const isProgress = method === 'notifications/progress'
    if (isProgress && leg.progressToken === undefined) return
    this.#outbox?.post(method, isProgress ? { ...params, progressToken: leg.progressToken } : params)
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
      for (const [key, answer] of Object.entries(request.input.responses)) this.#questions.get(key)?.answer(answer)
      if (await this.#hasQuestions()) return this.#asking()
      return await this.#outcome.finally(() => this.#held.forget(this))
    } finally {
      request.signal.removeEventListener('abort', cancel)
      this.#leg = undefined
      this.#outbox = undefined
    }
  }

  #attend(request: BackendRequest): void {
    this.#leg = request
    this.#outbox = new Outbox((method, params) => request.notify(method, params))
  }

  /** Nobody waits for it any more. */
  abandon(reason: string): void {
    clearTimeout(this.#expiry)
    this.#held.forget(this)
    for (const { give } of [...this.#questions.values()]) give(new RpcError(ErrorCode.InternalError, reason))
    this.#stop.abort(new McpError('cancelled', reason))
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
      if (this.#ended) return false
      // Those that were asked may have been withdrawn again.
      if (this.#questions.size > 0) return true
    }
  }

  #asking(): InputRequired {
    const requests = [...this.#questions].map(([key, { question }]): [string, InputRequest] => [
      key,
      { method: question.method, params: question.params } as unknown as InputRequest,
    ])
    this.#expiry = setTimeout(() => this.abandon('The client did not come back with its answers'), this.#held.answerMs)
    return inputRequired({ requests: Object.fromEntries(requests), state: { held: this.id } })
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
  resumed({ input }: BackendRequest): HeldCall | undefined {
    const { held } = (input.state ?? {}) as { held?: string }
    if (held === undefined) return undefined
    const call = this.#calls.get(held)
    if (call === undefined) throw notWaiting()
    return call
  }

  start(request: BackendRequest, way: Way): HeldCall {
    const limit = this.#bounds.maxWaiting
    if (this.#calls.size >= limit) {
      way.release()
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
    'requestState: the call that it belongs to does not wait any more, because it took too long, was cancelled, or ' +
      'the bridge was started again. What it did so far is done: call again without requestState to start anew',
  )
