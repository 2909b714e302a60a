import { ErrorCode, type JsonObject, McpError, RpcError } from '@tenon/sdk/client'
import { type BackendRequest, hasSameRights, type RawQuestion, type RawSender } from '@tenon/sdk/relay'
import { type InputRequired, inputRequired } from '@tenon/sdk/server'
import { NotificationQueue } from '../clients/notification-queue.ts'
import type { Bounds } from '../options.ts'
import { knowsTasks } from '../tasks/capability.ts'
import { callWithTaskRetry } from '../tasks/task-calls.ts'
import type { UpstreamConnection } from '../upstream/connection.ts'
import { type ActiveCall, callOptions } from './active-call.ts'
import { paramsWithoutTask } from './params.ts'
import { PendingRequests } from './pending-requests.ts'

interface UpstreamCall {
  connection: UpstreamConnection
  sender: RawSender
  /** Called when the call has ended, with its result; undefined if it failed. */
  done(result: JsonObject | undefined): void
}

/**
 * A call of a stateless client at a server that sends requests while it handles the call. The client gets them as
 * `input_required`, and returns with the responses. The call at the server stays open meanwhile: a second one would run the
 * tool twice.
 */
class SuspendedCall implements ActiveCall {
  readonly id: string = crypto.randomUUID()
  readonly logLevel: ActiveCall['logLevel']
  readonly hearsLogs: boolean
  readonly canAsk = true
  readonly acceptsTasks: boolean
  /** The call has the rights of this token, so its result goes to no other. */
  readonly auth: BackendRequest['caller']['auth']
  readonly #calls: SuspendedCalls
  readonly #stop = new AbortController()
  readonly #requests = new PendingRequests(() => this.#asked?.())
  readonly #outcome: Promise<JsonObject>
  /** The request of the client that is open: progress and log messages go to its stream. */
  #round: { request: BackendRequest; notifications: NotificationQueue } | undefined
  #ended = false
  #asked: (() => void) | undefined
  #expiry: ReturnType<typeof setTimeout> | undefined

  constructor(request: BackendRequest, upstream: UpstreamCall, calls: SuspendedCalls) {
    this.#calls = calls
    this.auth = request.caller.auth
    this.logLevel = request.logLevel
    this.hearsLogs = request.logLevel !== undefined
    this.acceptsTasks = knowsTasks(request.caller.capabilities)
    this.#openRound(request)
    this.#outcome = this.#run(request, upstream)
    // The call may fail between two rounds; the next round gets the error.
    this.#outcome.catch(() => {})
  }

  async #run(request: BackendRequest, { connection, sender, done }: UpstreamCall): Promise<JsonObject> {
    // The call outlives the first request, and so its signal.
    const options = { ...callOptions(request, sender, this), signal: this.#stop.signal }
    let result: JsonObject | undefined
    try {
      result = await callWithTaskRetry(connection, this, request.method, paramsWithoutTask(request), options)
      return result
    } finally {
      this.#ended = true
      done(result)
    }
  }

  // ActiveCall

  ask(question: RawQuestion): Promise<JsonObject> {
    return this.#requests.ask(question)
  }

  notify(method: string, params: JsonObject): void {
    if (this.#round === undefined) return
    const { request, notifications } = this.#round
    if (method !== 'notifications/progress') notifications.post(method, params)
    else if (request.progressToken !== undefined)
      notifications.post(method, { ...params, progressToken: request.progressToken })
  }

  // Rounds

  /** Passes on the responses of this round, then waits for the result or the next requests. */
  async next(request: BackendRequest): Promise<JsonObject | InputRequired> {
    clearTimeout(this.#expiry)
    this.#openRound(request)
    const cancel = (): void => this.abandon('The client cancelled the call')
    request.signal.addEventListener('abort', cancel, { once: true })
    if (request.signal.aborted) cancel()
    try {
      this.#requests.answer(request.input.responses)
      if (await this.#hasRequests()) return this.#inputRequired()
      return await this.#outcome.finally(() => this.#calls.forget(this))
    } finally {
      request.signal.removeEventListener('abort', cancel)
      this.#round = undefined
    }
  }

  /** Ends the call: its client will not return. */
  abandon(reason: string): void {
    clearTimeout(this.#expiry)
    this.#calls.forget(this)
    this.#requests.abandon(reason)
    this.#stop.abort(new McpError('cancelled', reason))
  }

  #openRound(request: BackendRequest): void {
    this.#round = { request, notifications: new NotificationQueue((method, params) => request.notify(method, params)) }
  }

  /** Waits until the server has sent requests (true) or the call has ended (false). Requests sent together go out together. */
  async #hasRequests(): Promise<boolean> {
    while (true) {
      const asked = new Promise<void>((resolve) => {
        this.#asked = resolve
      })
      if (this.#requests.size === 0) await Promise.race([asked, this.#outcome.catch(() => {})])
      await new Promise((resolve) => setImmediate(resolve))
      this.#asked = undefined
      // Requests first, even after the end of the call: they may belong to an earlier call that still waits for them.
      if (this.#requests.size > 0) return true
      // The server may have withdrawn them.
      if (this.#ended) return false
    }
  }

  #inputRequired(): InputRequired {
    this.#expiry = setTimeout(() => this.abandon('The client did not come back with its answers'), this.#calls.answerMs)
    this.#expiry.unref?.()
    return inputRequired({ requests: this.#requests.inputRequests, state: { held: this.id } })
  }
}

/** The suspended calls, by the id in the state that their clients return with. */
export class SuspendedCalls {
  readonly #calls = new Map<string, SuspendedCall>()
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get answerMs(): number {
    return this.#bounds.answerMs
  }

  /** The call that a request continues; undefined for a new one. */
  resumed({ input, caller }: BackendRequest): SuspendedCall | undefined {
    const { held } = (input.state ?? {}) as { held?: string }
    if (held === undefined) return undefined
    const call = this.#calls.get(held)
    if (call === undefined || !hasSameRights(call.auth, caller.auth)) throw notWaiting()
    return call
  }

  start(request: BackendRequest, upstream: UpstreamCall): SuspendedCall {
    const limit = this.#bounds.maxWaiting
    if (this.#calls.size >= limit) {
      upstream.done(undefined)
      throw new RpcError(ErrorCode.InternalError, `Too many calls wait for answers (the limit is ${limit})`, { limit })
    }
    const call = new SuspendedCall(request, upstream, this)
    this.#calls.set(call.id, call)
    return call
  }

  forget(call: SuspendedCall): void {
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
