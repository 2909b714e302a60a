import { ErrorCode, McpError, RpcError } from '../errors.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, RequestId } from '../jsonrpc/message.ts'
import type { WaitOptions } from '../jsonrpc/pending.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { ElicitResult } from '../model/elicitation.ts'
import { type LoggingLevel, loggingLevels } from '../model/logging.ts'
import { type Meta, metaKeys } from '../model/meta.ts'
import type { ListRootsResult, Root } from '../model/roots.ts'
import type { CreateMessageParams, CreateMessageResult } from '../model/sampling.ts'
import { formatIssues, type InferSchema, type SchemaLike } from '../schema/bridge.ts'
import { isWebUrl } from '../web-url.ts'
import type { AuthInfo, Caller, CallerState } from './caller.ts'
import { elicitationForm } from './elicitation-form.ts'
import { blameClient } from './own-fault.ts'
import { ToolResult } from './tool-result.ts'

/** How long to wait for the client, and who may end the wait. The default is `limits.askTimeoutMs` of the server. */
export interface AskOptions {
  signal?: AbortSignal
  timeoutMs?: number
}

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

/** What a handler knows about its request, and what it can ask of the client. */
export interface RequestContext<App = unknown> {
  /** What the server's `context` function made for this connection. */
  readonly context: App
  readonly caller: Caller
  readonly auth: AuthInfo | undefined
  readonly requestId: RequestId
  /** The `_meta` of the request. */
  readonly meta: Meta | undefined
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
}

/** The context of a tool call. */
export interface ToolContext<App = unknown> extends RequestContext<App> {
  /** A result that tells the model what went wrong. */
  error(message: string): ToolResult
}

/** Where messages about a request go besides its answer. */
export interface Outlet {
  readonly askTimeoutMs: number
  notify(method: string, params: JsonObject, about: IncomingRequest): void | Promise<void>
  ask(method: string, params: JsonObject, wait: WaitOptions, about: IncomingRequest): Promise<JsonObject>
}

/** The one implementation; methods sit on the prototype, so that making one costs a few field writes. */
export class HandlerContext<App> implements ToolContext<App> {
  readonly context: App
  readonly #request: IncomingRequest
  readonly #caller: CallerState
  readonly #outlet: Outlet
  #lastProgress = Number.NEGATIVE_INFINITY

  constructor(context: App, request: IncomingRequest, caller: CallerState, outlet: Outlet) {
    this.context = context
    this.#request = request
    this.#caller = caller
    this.#outlet = outlet
  }

  get caller(): Caller {
    return this.#caller
  }

  get auth(): AuthInfo | undefined {
    return this.#caller.auth
  }

  get requestId(): RequestId {
    return this.#request.id
  }

  get meta(): Meta | undefined {
    return this.#request.params?._meta as Meta | undefined
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  progress(progress: number, total?: number, message?: string): void | Promise<void> {
    const progressToken = this.meta?.[metaKeys.progressToken]
    // Some peers write null for "none".
    if (progressToken === undefined || progressToken === null) return
    if (!Number.isFinite(progress) || progress <= this.#lastProgress) return
    this.#lastProgress = progress
    return this.#notify('notifications/progress', {
      progressToken,
      progress,
      ...(Number.isFinite(total) && { total }),
      ...(message !== undefined && { message }),
    })
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void | Promise<void> {
    const threshold = this.#caller.logLevel
    if (threshold === undefined || loggingLevels.indexOf(level) < loggingLevels.indexOf(threshold)) return
    return this.#notify('notifications/message', {
      level,
      ...(logger !== undefined && { logger }),
      data: data === undefined ? null : data,
    })
  }

  async elicit<S extends SchemaLike>(
    message: string,
    schema: S,
    options?: AskOptions,
  ): Promise<ElicitAnswer<InferSchema<S>>> {
    const form = elicitationForm(schema)
    this.#need('elicitation/create', { elicitation: { form: {} } })
    const params = { mode: 'form', message, requestedSchema: form.requestedSchema }
    const { action, content } = (await this.#ask('elicitation/create', params, options)) as unknown as ElicitResult
    if (action !== 'accept') return { action }
    const parsed = await form.schema.parse(content ?? {})
    if (parsed.ok) return { action, content: parsed.value as InferSchema<S> }
    const problem = formatIssues(parsed.issues, 'content')
    return blameClient(new McpError('invalid_result', `The client answered a form wrongly: ${problem}`))
  }

  async elicitUrl(message: string, url: string, options?: AskOptions): Promise<UrlAnswer> {
    if (!isWebUrl(url)) {
      throw new McpError('invalid_argument', `elicitUrl: expected an http(s) URL, got ${JSON.stringify(url)}`)
    }
    this.#need('elicitation/create', { elicitation: { url: {} } })
    const elicitationId = crypto.randomUUID()
    const params = { mode: 'url', message, url, elicitationId }
    const { action } = (await this.#ask('elicitation/create', params, options)) as unknown as ElicitResult
    const complete = (): void => {
      if (action === 'accept') this.#tell('notifications/elicitation/complete', { elicitationId })
    }
    return { action, complete }
  }

  async sample(params: CreateMessageParams, options?: AskOptions): Promise<SampleResult> {
    this.#need('sampling/createMessage', { sampling: params.tools || params.toolChoice ? { tools: {} } : {} })
    const result = (await this.#ask('sampling/createMessage', { ...params }, options)) as unknown as CreateMessageResult
    const blocks = [result.content].flat()
    return { ...result, text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n') }
  }

  async roots(options?: AskOptions): Promise<Root[]> {
    this.#need('roots/list', { roots: {} })
    const result = await this.#ask('roots/list', {}, options)
    return (result as unknown as ListRootsResult).roots
  }

  error(message: string): ToolResult {
    return new ToolResult({ content: message, isError: true })
  }

  /** Nothing about a request is sent once it is answered or cancelled. */
  #notify(method: string, params: JsonObject): void | Promise<void> {
    if (!this.#request.settled) return this.#tell(method, params)
  }

  #tell(method: string, params: JsonObject): void | Promise<void> {
    const { codec } = this.#caller
    if (codec.notifications.server.has(method))
      return this.#outlet.notify(method, codec.encodeParams(method, params), this.#request)
  }

  async #ask(method: string, params: JsonObject, options: AskOptions = {}): Promise<JsonObject> {
    const { codec } = this.#caller
    const signal = options.signal ? AbortSignal.any([options.signal, this.signal]) : this.signal
    const timeoutMs = options.timeoutMs ?? this.#outlet.askTimeoutMs
    const wait = { signal, timeoutMs, maxTotalMs: timeoutMs }
    try {
      const result = await this.#outlet.ask(method, codec.encodeParams(method, params), wait, this.#request)
      return codec.decodeResult(method, result, params)
    } catch (error) {
      return blameClient(error)
    }
  }

  #need(method: string, required: ClientCapabilities): void {
    const missing = missingCapability(required, this.#caller.capabilities)
    const { codec } = this.#caller
    if (missing !== undefined && !codec.handshake) {
      throw new RpcError(
        ErrorCode.MissingRequiredClientCapability,
        `This request needs the client capability ${missing}`,
        {
          requiredCapabilities: required,
        },
      )
    }
    if (missing !== undefined) {
      blameClient(new McpError('unsupported', `The client did not declare the capability ${missing}`))
    }
    if (!codec.requests.server.has(method)) {
      blameClient(new McpError('unsupported', `${method} cannot be asked in revision ${codec.revision}`))
    }
  }
}

/** The dotted name of the first required capability that was not declared. */
function missingCapability(required: ClientCapabilities, declared: ClientCapabilities): string | undefined {
  for (const [name, parts] of Object.entries(required)) {
    const found = declared[name as keyof ClientCapabilities] as JsonObject | undefined
    if (!found) return name
    for (const part of Object.keys(parts)) if (!found[part]) return `${name}.${part}`
  }
  return undefined
}
