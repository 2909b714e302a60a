import { McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Sink } from '../../jsonrpc/channel.ts'
import { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject, Message, Request } from '../../jsonrpc/message.ts'
import type { ConnectionInfo } from '../caller.ts'
import type { CallerState } from '../caller-state.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { Outlet } from '../dispatch/outlet.ts'
import { ServerCall } from '../dispatch/server-call.ts'
import { toWireError } from '../dispatch/wire-error.ts'
import type { FoundTool } from '../features/find-tool.ts'
import type { OpenSubscriptions } from '../subscriptions/open-subscriptions.ts'
import { callerFrom, type RequestMeta, readRequestMeta } from './request-meta.ts'

/** The parts of a request that its transport has looked at. */
export interface CheckedRequest {
  readonly meta?: RequestMeta | undefined
  readonly tool?: FoundTool | undefined
}

/**
 * Answers one self-contained request, without any connection: notifications of the handler go into the sink, and the
 * answer last. The constructor throws an `RpcError` if the request does not describe its caller.
 */
export class StatelessExchange implements Outlet {
  readonly askTimeoutMs = 0
  readonly listens: OpenSubscriptions
  readonly #dispatcher: Dispatcher
  readonly #sink: Sink
  readonly #request: IncomingRequest
  readonly #caller: CallerState
  readonly #tool: FoundTool | undefined

  constructor(
    dispatcher: Dispatcher,
    message: Request,
    sink: Sink,
    info: ConnectionInfo,
    listens: OpenSubscriptions,
    { meta = readRequestMeta(message.params), tool }: CheckedRequest = {},
  ) {
    this.listens = listens
    this.#dispatcher = dispatcher
    this.#sink = sink
    this.#request = new IncomingRequest(message, sink)
    this.#caller = callerFrom(dispatcher.definition, meta, info)
    this.#tool = tool
  }

  /** Returns a promise only if the answer takes time. It is then in the hands of the sink, or there will be none. */
  run(): MaybePromise<void> {
    const result = this.#answer()
    return result instanceof Promise ? this.#finishLater(result) : this.#finish(result)
  }

  /** The client is gone: stop working, send nothing more. */
  cancel(reason: string): void {
    this.#request.cancel(new McpError('cancelled', reason))
  }

  // Outlet

  /** Without a connection, callers that are not authenticated cannot be told apart. */
  get client(): object {
    return this.#dispatcher
  }

  /** Notifications go out with the request. */
  notify(method: string, params: JsonObject): MaybePromise<void> {
    return this.#send({ jsonrpc: '2.0', method, params })
  }

  /** Questions are not asked where there is no connection. */
  ask(method: string): Promise<JsonObject> {
    return Promise.reject(new McpError('unsupported', `${method} cannot be asked without a connection`))
  }

  #answer(): MaybePromise<Message> {
    const request = this.#request
    try {
      const result = this.#dispatcher.answer(new ServerCall(request, this.#caller, this, this.#tool))
      return result instanceof Promise ? this.#answerLater(result) : { jsonrpc: '2.0', id: request.id, result }
    } catch (thrown) {
      return this.#failed(thrown)
    }
  }

  async #answerLater(answering: Promise<JsonObject>): Promise<Message> {
    try {
      return { jsonrpc: '2.0', id: this.#request.id, result: await answering }
    } catch (thrown) {
      return this.#failed(thrown)
    }
  }

  async #finishLater(answering: Promise<Message>): Promise<void> {
    await this.#finish(await answering)
  }

  #finish(answer: Message): MaybePromise<void> {
    const { definition } = this.#dispatcher
    if (this.#caller.hasContexts) definition.release(this.#caller)
    this.#request.settle()
    return this.#send(answer)
  }

  #failed(thrown: unknown): Message {
    const { id, method } = this.#request
    const report = (cause: unknown): string => this.#dispatcher.definition.report(cause, method)
    return { jsonrpc: '2.0', id, error: toWireError(thrown, report) }
  }

  #send(payload: Message): MaybePromise<void> {
    if (!this.#request.cancelled) return this.#sink.send(payload)
  }
}
