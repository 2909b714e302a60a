import { ErrorCode, isMcpError, McpError, type McpErrorCode, RpcError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { BatchAnswers } from './batch-answers.ts'
import type { Channel, Receiver, Refusal, Sink } from './channel.ts'
import { classify, explainInvalid } from './classify.ts'
import { IncomingRequest } from './incoming.ts'
import type {
  ErrorResponse,
  JsonObject,
  Message,
  Notification,
  Request,
  RequestId,
  ResultResponse,
  WireError,
} from './message.ts'
import { Outgoing } from './outgoing.ts'
import { type PeerDelegate, type PeerOptions, peerDefaults, refuseBatchOf } from './peer-options.ts'
import type { WaitOptions } from './pending.ts'
import { SmallMap } from './small-map.ts'

/** Sent when a result cannot be written as JSON. */
const unsendable: WireError = { code: ErrorCode.InternalError, message: 'Internal error' }

const bareAnswer = 'The response has neither result nor error'

const isBare = (value: unknown, id: RequestId | undefined): boolean =>
  id !== undefined && (value as JsonObject).jsonrpc === '2.0' && (value as JsonObject).method === undefined

type Answer = ResultResponse | ErrorResponse | undefined

/** The answer, or an error if it cannot be written as JSON. */
function sendable(answer: ResultResponse | ErrorResponse): ResultResponse | ErrorResponse {
  try {
    JSON.stringify(answer)
    return answer
  } catch {
    return { jsonrpc: '2.0', id: answer.id!, error: unsendable }
  }
}

/** One end of a JSON-RPC conversation: correlates answers, answers requests, and keeps both in bounds. */
export class Peer implements Receiver {
  readonly #channel: Channel
  readonly #delegate: PeerDelegate
  readonly #options: PeerOptions
  readonly #incoming = new SmallMap<RequestId, IncomingRequest>()
  /** Requests whose handlers have not returned, cancelled ones included. */
  #inWork = 0
  /** Created on first use: most servers send no requests. */
  #asked: Outgoing | undefined
  #closed: McpError | undefined
  /** Set while draining: called when no request is in flight any more. */
  #drained: (() => void) | undefined

  constructor(channel: Channel, delegate: PeerDelegate, options: PeerOptions = {}) {
    this.#channel = channel
    this.#delegate = delegate
    this.#options = options
  }

  open(): void {
    this.#channel.open(this)
  }

  /** A request id that this side has not used yet. */
  reserveId(): RequestId {
    return this.#outgoing.reserveId()
  }

  /** Sends a request, into `sink` if it belongs to one of the peer, and waits for its result, within bounds. */
  request(
    id: RequestId,
    method: string,
    params: JsonObject | undefined,
    wait: WaitOptions = {},
    sink: Sink = this.#channel,
  ): Promise<JsonObject> {
    const message: Request =
      params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params }
    return this.#outgoing.send(message, wait, sink)
  }

  /** Sends a notification. Returns a promise only while the peer is slow; a closed connection swallows it. */
  notify(method: string, params?: JsonObject, sink: Sink = this.#channel): MaybePromise<void> {
    return this.#send(params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params }, sink)
  }

  /** Sends a notification for somebody who tries again: fails if the channel is away for a moment. */
  deliver(method: string, params: JsonObject): MaybePromise<void> {
    if (this.#closed !== undefined) return
    const failed = (error: unknown): void => {
      if (isMcpError(error) && error.code === 'unavailable') throw error
      this.#sendError(error)
    }
    try {
      const sending = this.#channel.send({ jsonrpc: '2.0', method, params })
      return sending instanceof Promise ? sending.catch(failed) : undefined
    } catch (error) {
      failed(error)
    }
  }

  /** The peer cancelled a request: aborts it and does not answer. */
  cancelIncoming(id: RequestId, reason: string): void {
    const request = this.#incoming.get(id)
    if (request === undefined) return
    this.#incoming.delete(id)
    this.#giveUp(request, new McpError('cancelled', reason))
  }

  /** The peer reports progress on a request of this side. False if there is no such request. */
  progressed(id: RequestId, params: JsonObject): boolean {
    return this.#asked?.progressed(id, params) ?? false
  }

  /** Requests of this side do not time out until the work is done: the peer waits for it. */
  async holding<T>(work: Promise<T>): Promise<T> {
    const release = this.#outgoing.hold()
    try {
      return await work
    } finally {
      release()
    }
  }

  /** The number of open requests in each direction. */
  get inFlight(): { incoming: number; outgoing: number } {
    return { incoming: this.#incoming.size, outgoing: this.#asked?.size ?? 0 }
  }

  /** The reason to refuse an array as a batch; undefined if it is one. */
  refuseBatch(messages: unknown[]): string | undefined {
    return refuseBatchOf(messages, this.#delegate.batches(), this.#options.maxBatch)
  }

  async close(): Promise<void> {
    this.#end(new McpError('closed', 'The connection was closed on this side'))
    await this.#channel.close()
  }

  // Receiver

  receive(value: unknown, sink: Sink = this.#channel): void {
    if (this.#closed !== undefined) {
      this.#leaveUnanswered(sink, this.#closed)
      return
    }
    switch (classify(value)) {
      case 'request':
        this.#answer(value as Request, sink)
        return
      case 'notification':
        this.#notified(value as Notification, sink)
        return
      case 'result':
        this.#settle((value as ResultResponse).id, value as ResultResponse)
        return
      case 'error':
        this.#failed(value as ErrorResponse)
        return
      case 'batch':
        this.#receiveBatch(value as unknown[], sink)
        return
      case 'invalid':
        this.#sendAnswer(this.#invalidAnswer(value), sink)
    }
  }

  refuse(refusal: Refusal): void {
    const { id, kind, code, message, tooLarge } = refusal
    this.#delegate.protocolError(new RpcError(code, message))
    if (kind === 'response') this.#rejectAnswered(id, message, tooLarge ? 'too_large' : 'invalid_result')
    // A call without an id looks like a notification, and those are never answered.
    else if (kind === undefined || id !== undefined)
      this.#sendAnswer(this.#errorResponse(id, { code, message }), this.#channel)
  }

  failed(id: RequestId, error: Error): void {
    this.#asked?.fail(id, error)
  }

  delayed(id: RequestId): void {
    this.#asked?.touch(id)
  }

  closed(reason?: Error): void {
    const message = reason?.message ?? 'The connection was closed by the other side'
    // Without an answer's id, all that wait may be meant.
    const code = isMcpError(reason) && reason.code === 'too_large' ? 'too_large' : 'closed'
    const error = new McpError(code, message, { cause: reason })
    if (reason === undefined && this.#channel.sendsAfterEnd && this.#incoming.size > 0) this.#drain(error)
    else this.#end(error)
  }

  /** No answer will arrive any more, but requests received before the end still get theirs. */
  #drain(reason: McpError): void {
    this.#outgoing.close(reason)
    const timer = setTimeout(() => this.#end(reason), this.#options.drainMs ?? peerDefaults.drainMs)
    this.#drained = () => {
      clearTimeout(timer)
      // The last answer is sent in a microtask after this one.
      setTimeout(() => this.#end(reason))
    }
    this.#delegate.draining?.()
  }

  get #outgoing(): Outgoing {
    this.#asked ??= this.#makeOutgoing()
    return this.#asked
  }

  #makeOutgoing(): Outgoing {
    const limits = { ...peerDefaults, ...this.#options }
    const abandoned = (id: RequestId, method: string, reason: McpError): void =>
      this.#delegate.abandoned(id, method, reason)
    const outgoing = new Outgoing(limits, abandoned, this.#channel.idPrefix)
    if (this.#closed !== undefined) outgoing.close(this.#closed)
    return outgoing
  }

  // Requests of the peer

  #answer(message: Request, sink: Sink): void {
    const answer = this.#run(message, sink)
    if (answer instanceof Promise) answer.then((settled) => this.#sendAnswer(settled, sink))
    else this.#sendAnswer(answer, sink)
  }

  #sendAnswer(answer: Answer, sink: Sink): void {
    if (answer === undefined) return
    // The connection may have ended between the return of the handler and now, with nothing left to cancel.
    if (this.#closed !== undefined) {
      this.#leaveUnanswered(sink, this.#closed)
      return
    }
    try {
      const sending = sink.send(answer)
      if (sending instanceof Promise) sending.catch((error: unknown) => this.#sendError(error))
    } catch (error) {
      this.#sendError(error)
      if (answer.id !== undefined) this.#send({ jsonrpc: '2.0', id: answer.id, error: unsendable }, sink)
    }
  }

  /** Never rejects. Undefined means: no answer, because the request was cancelled. */
  #run(message: Request, sink: Sink): MaybePromise<Answer> {
    const { id } = message
    const refusal = this.#refuseRequest(message)
    if (refusal !== undefined) return { jsonrpc: '2.0', id, error: refusal }
    const request = new IncomingRequest(message, sink)
    this.#incoming.set(id, request)
    this.#inWork++
    try {
      const result = this.#delegate.request(request)
      if (!(result instanceof Promise)) return this.#succeed(request, result)
      return result.then(
        (value) => this.#succeed(request, value),
        (thrown) => this.#fail(request, thrown),
      )
    } catch (thrown) {
      return this.#fail(request, thrown)
    }
  }

  #refuseRequest({ id, method }: Request): WireError | undefined {
    if (this.#incoming.has(id)) {
      return { code: ErrorCode.InvalidRequest, message: `Request id ${JSON.stringify(id)} is already in use` }
    }
    const { maxIncoming: limit = peerDefaults.maxIncoming, urgent = peerDefaults.urgent } = this.#options
    if (this.#inWork >= limit && this.#inWork - this.#standing() >= limit && !urgent.has(method)) {
      return {
        code: ErrorCode.InternalError,
        message: `Too many requests in flight (the limit is ${limit})`,
        data: { limit },
      }
    }
    return undefined
  }

  /** Counted only when needed: requests that stay open are few, and mostly there are none. */
  #standing(): number {
    let count = 0
    for (const { standing } of this.#incoming.values()) if (standing) count++
    return count
  }

  #succeed(request: IncomingRequest, result: JsonObject): Answer {
    if (!this.#finish(request)) return undefined
    return { jsonrpc: '2.0', id: request.id, result }
  }

  #fail(request: IncomingRequest, thrown: unknown): Answer {
    if (!this.#finish(request)) return undefined
    const error = this.#delegate.toWireError(thrown, request)
    return { jsonrpc: '2.0', id: request.id, error }
  }

  /** False if the request was cancelled meanwhile. */
  #finish(request: IncomingRequest): boolean {
    this.#inWork--
    if (request.cancelled) return false
    request.settle()
    this.#incoming.delete(request.id)
    if (this.#incoming.size === 0) this.#drained?.()
    return true
  }

  // Answers of the peer

  #settle(id: RequestId, response: ResultResponse | ErrorResponse): void {
    if (this.#asked !== undefined && (this.#asked.settle(id, response) || this.#asked.knew(id))) return
    this.#delegate.protocolError(
      new McpError('invalid_result', `Answer to an unknown request, id ${JSON.stringify(id)}`),
    )
  }

  #failed(response: ErrorResponse): void {
    if (response.id !== undefined && response.id !== null) {
      this.#settle(response.id, response)
      return
    }
    const { code, message } = response.error
    this.#delegate.protocolError(
      new RpcError(code, `The peer could not read a message: ${message}`, undefined, { remote: true }),
    )
  }

  /** An unusable answer arrived: no better one will follow. */
  #rejectAnswered(id: RequestId | undefined, message: string, code: McpErrorCode = 'invalid_result'): void {
    if (id !== undefined) this.#asked?.fail(id, new McpError(code, message))
  }

  // Everything else

  #notified(message: Notification, sink: Sink): void {
    try {
      this.#delegate.notification(message, sink)
    } catch (error) {
      this.#delegate.protocolError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #invalidAnswer(value: unknown): Answer {
    const { id, code, message, meant } = explainInvalid(value)
    // The id of a request of this side, and nothing else: this was meant as its answer.
    if (
      meant !== 'response' &&
      isBare(value, id) &&
      this.#outgoing.fail(id!, new McpError('invalid_result', bareAnswer))
    ) {
      this.#delegate.protocolError(new McpError('invalid_result', bareAnswer))
      return undefined
    }
    this.#delegate.protocolError(new RpcError(code, message))
    if (meant === 'response') this.#rejectAnswered(id, message)
    const answered = meant === 'request' || (meant === 'foreign' && this.#delegate.answersForeign())
    return answered ? this.#errorResponse(id, { code, message }) : undefined
  }

  #errorResponse(id: RequestId | undefined, { code, message }: WireError): ErrorResponse | undefined {
    if (id !== undefined) return { jsonrpc: '2.0', id, error: { code, message } }
    return this.#delegate.errorsWithoutId() ? { jsonrpc: '2.0', error: { code, message } } : undefined
  }

  #receiveBatch(messages: unknown[], sink: Sink): void {
    const refusal = this.refuseBatch(messages)
    if (refusal !== undefined) {
      this.#refuseAll(messages, `Invalid request: ${refusal}`, sink)
      return
    }
    const batch = new BatchAnswers(sink, (answers, reason) => this.#sendBatch(answers, reason, sink))
    for (const message of messages) {
      const kind = classify(message)
      if (kind === 'request') this.#answerInBatch(message as Request, batch)
      else if (kind === 'invalid' || kind === 'batch') batch.add(this.#invalidAnswer(message))
      else if (kind === 'notification') this.#notified(message as Notification, sink)
      else this.receive(message)
    }
    batch.close()
  }

  #answerInBatch(message: Request, batch: BatchAnswers): void {
    const index = batch.expect()
    const answer = this.#run(message, batch)
    if (answer instanceof Promise) answer.then((settled) => batch.take(index, settled))
    else batch.take(index, answer)
  }

  /** Requests inside a refused batch must not wait forever. */
  #refuseAll(messages: unknown[], message: string, sink: Sink): void {
    const code = ErrorCode.InvalidRequest
    this.#delegate.protocolError(new RpcError(code, message))
    const requests = messages.filter((one) => classify(one) === 'request') as Request[]
    // Responses count, even in a refused batch.
    for (const one of messages) if (['result', 'error'].includes(classify(one))) this.receive(one)
    if (requests.length === 0) {
      const answer = this.#errorResponse(undefined, { code, message })
      if (answer === undefined) this.#leaveUnanswered(sink, undefined)
      else this.#sendAnswer(answer, sink)
    }
    for (const { id } of requests) this.#sendAnswer(this.#errorResponse(id, { code, message }), sink)
  }

  #sendBatch(answers: (ResultResponse | ErrorResponse)[], reason: McpError | undefined, sink: Sink): void {
    if (answers.length === 0 || this.#closed !== undefined) {
      this.#leaveUnanswered(sink, this.#closed ?? reason)
      return
    }
    try {
      const sending = sink.send(answers)
      if (sending instanceof Promise) sending.catch((error: unknown) => this.#sendError(error))
    } catch (error) {
      this.#sendError(error)
      // One answer that cannot be written must not prevent the others.
      this.#send(answers.map(sendable), sink)
    }
  }

  /** Sends without waiting. A lost connection has been reported by `closed` already. */
  #send(payload: Message | Message[], sink: Sink): MaybePromise<void> {
    if (this.#closed !== undefined) return
    try {
      const sending = sink.send(payload)
      return sending instanceof Promise ? sending.catch((error: unknown) => this.#sendError(error)) : undefined
    } catch (error) {
      this.#sendError(error)
    }
  }

  #giveUp(request: IncomingRequest, reason: McpError): void {
    if (request.cancel(reason)) this.#leaveUnanswered(request.sink, reason)
  }

  /** Ends a sink without an answer, so that nothing waits for one. */
  #leaveUnanswered(sink: Sink, reason: McpError | undefined): void {
    try {
      sink.unanswered?.(reason)
    } catch (error) {
      // The other sinks still have to be ended.
      this.#delegate.protocolError(error as Error)
    }
  }

  #sendError(error: unknown): void {
    if (this.#closed === undefined) this.#delegate.protocolError(error as Error)
  }

  #end(reason: McpError): void {
    if (this.#closed !== undefined) return
    this.#closed = reason
    this.#asked?.close(reason)
    for (const request of this.#incoming.values()) this.#giveUp(request, reason)
    this.#incoming.clear()
    this.#delegate.closed(reason)
  }
}
