import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, RequestId } from '../jsonrpc/message.ts'
import type { WaitOptions } from '../jsonrpc/pending.ts'
import { type LoggingLevel, loggingLevels } from '../model/logging.ts'
import { type Meta, metaKeys } from '../model/meta.ts'
import type { Root } from '../model/roots.ts'
import type { CreateMessageParams, CreateMessageResult } from '../model/sampling.ts'
import type { InferSchema, SchemaLike } from '../schema/bridge.ts'
import { readTraceContext, type TraceContext } from '../telemetry/trace-context.ts'
import type { ChannelInfo } from '../transport/channel.ts'
import type { AuthInfo, Caller } from './caller.ts'
import type { Call } from './dispatch/call.ts'
import { exceedsLogRate, exceedsRate } from './dispatch/message-limits.ts'
import { ToolResult } from './features/tool-result.ts'
import type { AskOptions } from './questions/ask.ts'
import { lazyQuestions } from './questions/lazy-questions.ts'
import type { OpenSubscriptions } from './subscriptions/open-subscriptions.ts'
import { noTask, type TaskHandle } from './tasks/task-handle.ts'

/** What the user said to a form. */
export type ElicitAnswer<T> =
  | { action: 'accept'; content: T }
  | { action: 'decline'; content?: undefined }
  | { action: 'cancel'; content?: undefined }

/** What the model wrote. */
export interface SampleResult extends CreateMessageResult {
  /** All text blocks, joined by line breaks. */
  text: string
}

/** What the user said to a URL. `accept` means consent; what happens behind the URL comes later. */
export interface UrlAnswer {
  action: 'accept' | 'decline' | 'cancel'
  /** Tells the client that what happened behind the URL is done, where the revision can say so. */
  complete(): void
}

/**
 * What a handler knows about its request, and what it can ask of the client.
 *
 * Where a server only answers (from 2026-07-28), a question that has no answer yet ends the run: it rejects, `finally`
 * blocks run, and whatever the handler does then is ignored. With the answers the handler runs again from the top, and
 * every earlier question answers itself. So handlers ask the same in every run, await a question where they ask it, and
 * do what must not happen twice, or may come out differently, in `once`.
 */
export interface RequestContext<App = unknown> {
  /** What the server's `context` function made for this connection and token. */
  readonly context: App
  readonly caller: Caller
  /** Who is authenticated by the token of this request; the same as `caller.auth`. */
  readonly auth: AuthInfo | undefined
  readonly requestId: RequestId
  /** The `_meta` of the request. */
  readonly meta: Meta | undefined
  /**
   * Where the request stands in the client's trace, checked and bounded: `{ headers: { ...ctx.trace } }` passes it on.
   * Questions to the client carry it already.
   */
  readonly trace: TraceContext | undefined
  /** Fires when the client cancels or goes away. */
  readonly signal: AbortSignal
  /** Reports progress, if the client asked for it. Values that do not grow are left out. */
  progress(progress: number, total?: number, message?: string): void | Promise<void>
  /** Sends a log message to this client, if its level lets it through. */
  log(level: LoggingLevel, data: unknown, logger?: string): void | Promise<void>
  /** Asks the user to fill in a form. The answer is validated. */
  elicit<S extends SchemaLike>(message: string, schema: S, options?: AskOptions): Promise<ElicitAnswer<InferSchema<S>>>
  /** Asks the user to open a URL, for what must not pass through the client: credentials, payments. */
  elicitUrl(message: string, url: string, options?: AskOptions): Promise<UrlAnswer>
  /** Asks the client's model for a message. */
  sample(params: CreateMessageParams, options?: AskOptions): Promise<SampleResult>
  /** Asks the client where the server may work. */
  roots(options?: AskOptions): Promise<Root[]>
  /**
   * Does something once per request, however often the handler runs for it. The result, which must be JSON, is
   * remembered; a step that throws is not, and runs again. A client that makes a new request gets a new run of it.
   */
  once<T>(key: string, run: () => T | Promise<T>): Promise<T>
  /** The answers to what `inputRequired` asked, by key, as the client sent them: nothing about them is checked. */
  readonly inputResponses: { readonly [key: string]: JsonObject }
  /** The state that was given to `inputRequired`, or nothing in the first round. */
  readonly requestState: unknown
}

/** The context of a tool call. */
export interface ToolContext<App = unknown> extends RequestContext<App> {
  /** The task that the call is, or may become; without effect where it is none. */
  readonly task: TaskHandle
  /** A result that tells the model what went wrong. */
  error(message: string): ToolResult
}

/** Where messages about a request go besides its answer. */
export interface Outlet {
  readonly askTimeoutMs: number
  readonly about?: ChannelInfo | undefined
  /** Stands for the client where nobody is authenticated: requests with the same one are counted together. */
  readonly client: object
  /** Where requests that stay open for news are counted, and ended; absent for handlers that outlive their request. */
  readonly listens?: OpenSubscriptions
  notify(method: string, params: JsonObject, about?: IncomingRequest): void | Promise<void>
  ask(method: string, params: JsonObject, wait: WaitOptions, about?: IncomingRequest): Promise<JsonObject>
}

/** The one implementation; methods sit on the prototype, so that making one costs a few field writes. */
export class HandlerContext<App> implements ToolContext<App> {
  readonly context: App
  readonly #call: Call
  #lastProgress = Number.NEGATIVE_INFINITY

  constructor(context: App, call: Call) {
    this.context = context
    this.#call = call
  }

  get caller(): Caller {
    return this.#call.caller
  }

  get auth(): AuthInfo | undefined {
    return this.#call.caller.auth
  }

  get requestId(): RequestId {
    return this.#call.request.id
  }

  get meta(): Meta | undefined {
    return this.#call.request.params?._meta as Meta | undefined
  }

  get trace(): TraceContext | undefined {
    return readTraceContext(this.meta)
  }

  get signal(): AbortSignal {
    return this.#call.request.signal
  }

  get task(): TaskHandle {
    return this.#call.task ?? noTask
  }

  get inputResponses(): { readonly [key: string]: JsonObject } {
    return this.#call.input.responses
  }

  get requestState(): unknown {
    return this.#call.input.state
  }

  progress(progress: number, total?: number, message?: string): void | Promise<void> {
    const progressToken = this.meta?.[metaKeys.progressToken]
    // Some peers write null for "none".
    if (progressToken === undefined || progressToken === null) return
    if (!Number.isFinite(progress) || progress <= this.#lastProgress) return
    if (progress !== total && this.#reportsTooOften()) return
    this.#lastProgress = progress
    return this.#notify('notifications/progress', {
      progressToken,
      progress,
      ...(Number.isFinite(total) && { total }),
      ...(message !== undefined && { message }),
    })
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void | Promise<void> {
    const threshold = this.#call.caller.logLevel
    if (threshold === undefined || loggingLevels.indexOf(level) < loggingLevels.indexOf(threshold)) return
    const { limits } = this.#call
    const perMinute = limits?.maxLogsPerMinute
    if (perMinute !== undefined && exceedsLogRate(limits!, perMinute, this.#call)) return
    return this.#notify('notifications/message', {
      level,
      ...(logger !== undefined && { logger }),
      data: data === undefined ? null : data,
    })
  }

  elicit<S extends SchemaLike>(
    message: string,
    schema: S,
    options?: AskOptions,
  ): Promise<ElicitAnswer<InferSchema<S>>> {
    return this.#asking(lazyQuestions(({ elicit }) => elicit(this.#call, message, schema, options)))
  }

  elicitUrl(message: string, url: string, options?: AskOptions): Promise<UrlAnswer> {
    return this.#asking(lazyQuestions(({ elicitUrl }) => elicitUrl(this.#call, message, url, options)))
  }

  sample(params: CreateMessageParams, options?: AskOptions): Promise<SampleResult> {
    return this.#asking(lazyQuestions(({ sample }) => sample(this.#call, params, options)))
  }

  roots(options?: AskOptions): Promise<Root[]> {
    return this.#asking(lazyQuestions(({ listRoots }) => listRoots(this.#call, options)))
  }

  once<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    return this.#asking(lazyQuestions(({ once }) => once(this.#call, key, run)))
  }

  error(message: string): ToolResult {
    return new ToolResult({ content: message, isError: true })
  }

  /** When a run ends, the questions that it does not wait for yet are rejected too: that is nobody's fault. */
  #asking<T>(answer: Promise<T>): Promise<T> {
    if (this.#call.round !== undefined) answer.catch(() => {})
    return answer
  }

  #reportsTooOften(): boolean {
    const { limits, request } = this.#call
    const burst = limits?.maxProgressPerSecond
    return burst !== undefined && exceedsRate(request, { perMinute: burst * 60, burst })
  }

  /** Nothing about a request is sent once it is answered or cancelled. */
  #notify(method: string, params: JsonObject): void | Promise<void> {
    if (!this.#call.request.settled) return this.#call.tell(method, params)
  }
}
