import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { JsonObject, RequestId } from '../jsonrpc/message.ts'
import type { LoggingLevel } from '../model/logging.ts'
import type { Meta } from '../model/meta.ts'
import type { Root } from '../model/roots.ts'
import type { CreateMessageParams, CreateMessageResult } from '../model/sampling.ts'
import type { InferSchema, SchemaLike } from '../schema/bridge.ts'
import type { TraceContext } from '../telemetry/trace-context.ts'
import type { AuthInfo, Caller } from './caller.ts'
import type { ToolResult } from './features/tool-result.ts'
import type { TaskHandle } from './tasks/task-handle.ts'

/**
 * How long to wait for the client, and who may end the wait. The default is `limits.askTimeoutMs` of the server. Where a
 * server only answers, nothing waits: `limits.stateTtlMs` says how long the client may take.
 */
export interface AskOptions {
  signal?: AbortSignal
  timeoutMs?: number
  /**
   * Names the question where the handler runs again for its answer. Without a name questions are counted, which is right
   * unless the order in which a handler asks may differ from run to run.
   */
  key?: string
}

/** The user's answer to a form. */
export type ElicitAnswer<T> =
  | { action: 'accept'; content: T }
  | { action: 'decline'; content?: undefined }
  | { action: 'cancel'; content?: undefined }

/** The model's message. */
export interface SampleResult extends CreateMessageResult {
  /** All text blocks, joined by line breaks. */
  text: string
}

/** The user's answer to a URL. `accept` means consent; the visit itself comes later. */
export interface UrlAnswer {
  action: 'accept' | 'decline' | 'cancel'
  /** Tells the client that the interaction behind the URL is complete, in revisions that can say so. */
  complete(): void
}

/**
 * The request that a handler answers, and the questions that it can ask the client.
 *
 * Where a server only answers (from 2026-07-28), a question that has no answer yet ends the run: it rejects, `finally`
 * blocks run, and anything else that the handler does is ignored. With the answers the handler runs again from the top, and
 * every earlier question answers itself. So handlers ask the same in every run, await a question where they ask it, and
 * do in `once` anything that must not happen twice, or may come out differently.
 */
export interface RequestContext<App = unknown> {
  /** Made by the server's `context` function for this connection and token. */
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
  progress(progress: number, total?: number, message?: string): MaybePromise<void>
  /** Sends a log message to this client, if its level lets it through. */
  log(level: LoggingLevel, data: unknown, logger?: string): MaybePromise<void>
  /** Asks the user to fill in a form. The answer is validated. */
  elicit<S extends SchemaLike>(message: string, schema: S, options?: AskOptions): Promise<ElicitAnswer<InferSchema<S>>>
  /** Asks the user to open a URL, for data that must not pass through the client: credentials, payments. */
  elicitUrl(message: string, url: string, options?: AskOptions): Promise<UrlAnswer>
  /** Asks the client's model for a message. */
  sample(params: CreateMessageParams, options?: AskOptions): Promise<SampleResult>
  /** Asks the client where the server may work. */
  roots(options?: AskOptions): Promise<Root[]>
  /**
   * Does something once per request, however often the handler runs for it. The result, which must be JSON, is
   * remembered; a step that throws is not, and runs again. A client that makes a new request gets a new run of it.
   */
  once<T>(key: string, run: () => MaybePromise<T>): Promise<T>
  /** The answers to `inputRequired`, by key, as the client sent them: nothing about them is checked. */
  readonly inputResponses: { readonly [key: string]: JsonObject }
  /** The state that was given to `inputRequired`, or nothing in the first round. */
  readonly requestState: unknown
}

/** The context of a tool call. */
export interface ToolContext<App = unknown> extends RequestContext<App> {
  /** The task that the call is, or may become; without effect where it is none. */
  readonly task: TaskHandle
  /** A result with an error for the model. */
  error(message: string): ToolResult
}
