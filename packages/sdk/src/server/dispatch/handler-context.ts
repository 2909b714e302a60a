import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject, RequestId } from '../../jsonrpc/message.ts'
import { type LoggingLevel, loggingLevels } from '../../model/logging.ts'
import { type Meta, metaKeys } from '../../model/meta.ts'
import type { Root } from '../../model/roots.ts'
import type { CreateMessageParams } from '../../model/sampling.ts'
import type { InferSchema, SchemaLike } from '../../schema/bridge.ts'
import { readTraceContext, type TraceContext } from '../../telemetry/trace-context.ts'
import type { AuthInfo, Caller } from '../caller.ts'
import type { AskOptions, ElicitAnswer, SampleResult, ToolContext, UrlAnswer } from '../context.ts'
import { ToolResult } from '../features/tool-result.ts'
import { lazyQuestions } from '../questions/lazy-questions.ts'
import { Question } from '../questions/question.ts'
import { noTask, type TaskHandle } from '../tasks/task-handle.ts'
import type { Call } from './call.ts'
import { exceedsLogRate, exceedsProgressRate } from './message-limits.ts'

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

  progress(progress: number, total?: number, message?: string): MaybePromise<void> {
    const progressToken = this.meta?.[metaKeys.progressToken]
    // Some peers write null for "none".
    if (progressToken === undefined || progressToken === null) return
    if (!Number.isFinite(progress) || progress <= this.#lastProgress) return
    if (progress !== total && exceedsProgressRate(this.#call)) return
    this.#lastProgress = progress
    return this.#notify('notifications/progress', {
      progressToken,
      progress,
      ...(Number.isFinite(total) && { total }),
      ...(message !== undefined && { message }),
    })
  }

  log(level: LoggingLevel, data: unknown, logger?: string): MaybePromise<void> {
    const threshold = this.#call.caller.logLevel
    if (threshold === undefined || loggingLevels.indexOf(level) < loggingLevels.indexOf(threshold)) return
    if (exceedsLogRate(this.#call)) return
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
    return this.#asking(
      'elicit',
      lazyQuestions(({ elicit }) => elicit(this.#call, message, schema, options)),
    )
  }

  elicitUrl(message: string, url: string, options?: AskOptions): Promise<UrlAnswer> {
    return this.#asking(
      'elicitUrl',
      lazyQuestions(({ elicitUrl }) => elicitUrl(this.#call, message, url, options)),
    )
  }

  sample(params: CreateMessageParams, options?: AskOptions): Promise<SampleResult> {
    return this.#asking(
      'sample',
      lazyQuestions(({ sample }) => sample(this.#call, params, options)),
    )
  }

  roots(options?: AskOptions): Promise<Root[]> {
    return this.#asking(
      'roots',
      lazyQuestions(({ listRoots }) => listRoots(this.#call, options)),
    )
  }

  once<T>(key: string, run: () => MaybePromise<T>): Promise<T> {
    return this.#asking(
      'once',
      lazyQuestions(({ once }) => once(this.#call, key, run)),
    )
  }

  error(message: string): ToolResult {
    return new ToolResult({ content: message, isError: true })
  }

  #asking<T>(name: string, answer: Promise<T>): Promise<T> {
    return new Question(name, answer, this.#call.unawaited)
  }

  /** Nothing about a request is sent once it is answered or cancelled. */
  #notify(method: string, params: JsonObject): MaybePromise<void> {
    if (!this.#call.request.settled) return this.#call.tell(method, params)
  }
}
