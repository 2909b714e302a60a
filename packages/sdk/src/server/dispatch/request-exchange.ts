import { McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Sink } from '../../jsonrpc/channel.ts'
import { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject, Message, Request } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller-state.ts'
import type { FoundTool } from '../features/find-tool.ts'
import type { OpenSubscriptions } from '../subscriptions/open-subscriptions.ts'
import type { Call } from './call.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { Outlet } from './outlet.ts'
import { ServerCall } from './server-call.ts'
import { toWireError } from './wire-error.ts'

/** The parts of an exchange that differ between transports. */
interface ExchangeOptions {
  readonly listens?: OpenSubscriptions
  /** The tool that is called, if the transport has looked it up. */
  readonly tool?: FoundTool | undefined
  /** Answers in place of the dispatcher. */
  readonly answer?: (call: Call, dispatcher: Dispatcher) => MaybePromise<JsonObject>
}

/**
 * Answers one request without any connection: notifications of the handler go into the sink, and the answer last. The
 * caller exists for this request alone.
 */
export class RequestExchange implements Outlet {
  readonly askTimeoutMs = 0
  readonly #dispatcher: Dispatcher
  readonly #sink: Sink
  readonly #request: IncomingRequest
  readonly #caller: CallerState
  readonly #options: ExchangeOptions

  constructor(dispatcher: Dispatcher, message: Request, sink: Sink, caller: CallerState, options: ExchangeOptions) {
    this.#dispatcher = dispatcher
    this.#sink = sink
    this.#request = new IncomingRequest(message, sink)
    this.#caller = caller
    this.#options = options
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

  get listens(): OpenSubscriptions | undefined {
    return this.#options.listens
  }

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
      const { tool, answer } = this.#options
      const call = new ServerCall(request, this.#caller, this, tool)
      const result = answer === undefined ? this.#dispatcher.answer(call) : answer(call, this.#dispatcher)
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
