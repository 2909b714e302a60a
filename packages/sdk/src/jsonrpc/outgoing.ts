import { McpError, RpcError } from '../errors.ts'
import type { Sink } from './channel.ts'
import type { ErrorResponse, JsonObject, Request, RequestId, ResultResponse } from './message.ts'
import { Pending, type WaitLimits, type WaitOptions } from './pending.ts'

/** Bounds on the requests of this side. */
interface OutgoingLimits extends WaitLimits {
  maxOutgoing: number
}

/** The requests of this side: those in flight, and those that wait for their turn. */
export class Outgoing {
  readonly #limits: OutgoingLimits
  readonly #idPrefix: string | undefined
  readonly #abandoned: (id: RequestId, method: string, reason: McpError) => void
  readonly #pending = new Map<RequestId, Pending>()
  readonly #waiting = new Map<Pending, Request>()
  /** How many of those in flight are meant to stay open. */
  #standing = 0
  #lastId = 0
  #held = 0
  #closed: McpError | undefined

  /** `abandoned` is called for requests that were sent and given up. */
  constructor(
    limits: OutgoingLimits,
    abandoned: (id: RequestId, method: string, reason: McpError) => void,
    idPrefix?: string,
  ) {
    this.#limits = limits
    this.#abandoned = abandoned
    this.#idPrefix = idPrefix
  }

  /** A request id that was not used yet. */
  reserveId(): RequestId {
    const number = ++this.#lastId
    return this.#idPrefix === undefined ? number : this.#idPrefix + number
  }

  /** True if a request with this id was sent once: a late answer to it is an ordinary race. */
  knew(id: RequestId): boolean {
    const number = Number(this.#idPrefix === undefined ? id : String(id).slice(this.#idPrefix.length))
    return Number.isInteger(number) && number > 0 && number <= this.#lastId
  }

  /** Requests with a waiting caller. */
  get size(): number {
    return this.#pending.size + this.#waiting.size - this.#standing
  }

  send(message: Request, wait: WaitOptions, sink: Sink): Promise<JsonObject> {
    const { method } = message
    if (this.#closed !== undefined) return Promise.reject(notSent(method, this.#closed))
    if (wait.signal?.aborted) {
      return Promise.reject(new McpError('cancelled', `${method} was cancelled`, { cause: wait.signal.reason }))
    }
    return new Promise((resolve, reject) => {
      const pending = new Pending(message, wait, this.#limits, { resolve, reject }, this.#abandon, sink)
      if (pending.standing || this.#hasRoom) this.#dispatch(pending, message)
      else this.#waiting.set(pending, message)
    })
  }

  /** Settles the request of a response. False if there is none. */
  settle(id: RequestId, response: ResultResponse | ErrorResponse): boolean {
    const pending = this.#take(id)
    if (pending === undefined) return false
    const { error } = response as ErrorResponse
    // Not by the presence of a member: some peers write both, one of them null.
    if (error === undefined || error === null) pending.resolve((response as ResultResponse).result)
    else {
      const { code, message, data } = error
      pending.reject(new RpcError(code, message, data, { remote: true }))
    }
    return true
  }

  /** Fails a request. False if there is none. */
  fail(id: RequestId, error: Error): boolean {
    const pending = this.#take(id)
    pending?.reject(error)
    return pending !== undefined
  }

  /** Delivers progress. False if there is no such request. */
  progressed(id: RequestId, params: JsonObject): boolean {
    const pending = this.#pending.get(id)
    if (pending === undefined) return false
    pending.touch()
    pending.onProgress?.(params)
    return true
  }

  /** Restarts the timeout of a request. */
  touch(id: RequestId): void {
    this.#pending.get(id)?.touch()
  }

  /**
   * While held, requests do not time out: the peer waits for an answer of this side, perhaps of a person. The returned
   * function ends that; requests in flight then have their full time again.
   */
  hold(): () => void {
    this.#held++
    return () => {
      this.#held--
      for (const pending of this.#pending.values()) pending.touch()
    }
  }

  /** Fails every open request, and every later one. */
  close(reason: McpError): void {
    this.#closed ??= reason
    for (const pending of [...this.#pending.values(), ...this.#waiting.keys()]) {
      pending.release()
      pending.reject(reason)
    }
    this.#pending.clear()
    this.#waiting.clear()
  }

  get #hasRoom(): boolean {
    return this.#pending.size - this.#standing < this.#limits.maxOutgoing
  }

  #dispatch(pending: Pending, message: Request): void {
    this.#pending.set(pending.id, pending)
    if (pending.standing) this.#standing++
    pending.sent = true
    try {
      const sending = pending.sink.send(message)
      if (sending instanceof Promise) sending.catch((error: unknown) => this.fail(pending.id, toError(error)))
    } catch (error) {
      this.fail(pending.id, toError(error))
    }
  }

  #take(id: RequestId): Pending | undefined {
    // Some servers answer the integer id 7 with "7".
    const pending = this.#pending.get(id) ?? (typeof id === 'string' ? this.#pending.get(Number(id)) : undefined)
    if (pending !== undefined) this.#release(pending)
    return pending
  }

  readonly #abandon = (pending: Pending, error: McpError, why?: 'silence'): void => {
    if (why === 'silence' && this.#held > 0 && pending.sent) {
      pending.resume()
      return
    }
    this.#release(pending)
    pending.reject(error)
    if (pending.sent) this.#abandoned(pending.id, pending.method, error)
  }

  #release(pending: Pending): void {
    pending.release()
    if (!pending.sent) {
      this.#waiting.delete(pending)
      return
    }
    this.#pending.delete(pending.id)
    if (pending.standing) this.#standing--
    if (!this.#hasRoom) return
    const next = this.#waiting.entries().next().value
    if (next === undefined) return
    this.#waiting.delete(next[0])
    this.#dispatch(...next)
  }
}

const notSent = (method: string, reason: McpError): McpError =>
  new McpError('closed', `${method} was not sent: ${reason.message}`, { cause: reason })

const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new McpError('closed', String(thrown)))
