import { toToolResult } from '../../client/calls/tool-result.ts'
import type { ToolCallResult } from '../../client/types.ts'
import { ErrorCode, isRpcError, McpError, RpcError } from '../../errors.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject, Notification, RequestId } from '../../jsonrpc/message.ts'
import { Peer } from '../../jsonrpc/peer.ts'
import type { WaitOptions } from '../../jsonrpc/pending.ts'
import type { ContentBlock } from '../../model/content.ts'
import type { LoggingLevel } from '../../model/logging.ts'
import type { Implementation } from '../../model/meta.ts'
import type { Progress } from '../../model/progress.ts'
import type { ReadResourceResult } from '../../model/resources.ts'
import type { CallToolResult } from '../../model/tools.ts'
import { windowChannel } from '../../transport/post-message.ts'
import { appsVersion, type DisplayMode, type HostCapabilities, type HostContext, methods } from '../vocabulary.ts'
import { watchSize } from './resize.ts'
import { applyHostStyles } from './styles.ts'

export interface ConnectToHostOptions {
  /** The name and version of the view. */
  info: Implementation
  /** The modes in which the view can be shown. Default: only `inline`. */
  displayModes?: readonly DisplayMode[]
  /** The arguments of the call that the view shows. */
  onToolInput?: (args: JsonObject) => void
  /** Arguments so far; they may change, and are not fit for anything that matters. */
  onToolInputPartial?: (args: JsonObject) => void
  /** How the call ended. */
  onToolResult?: (result: ToolCallResult) => void
  onToolCancelled?: (reason: string) => void
  /** Something about the host changed; `host.context` has all of it. */
  onContextChanged?: (change: HostContext) => void
  /** The view is about to be removed; it stays until this is done, within the host's patience. */
  onTeardown?: (reason: string) => unknown
  onError?: (error: Error) => void
  /** Tells the host the size of the page. Default: true. */
  autoResize?: boolean
  /** Takes over the host's colour scheme, CSS variables and fonts. Default: true. */
  hostStyles?: boolean
  /** For requests that do not say otherwise. Default: 60 s. */
  timeoutMs?: number
  /** Default: the window around this one. */
  channel?: Channel
}

export interface ViewCallOptions {
  signal?: AbortSignal
  timeoutMs?: number
  onProgress?: (progress: Progress) => void
}

/** A view's connection to its host. Made by `connectToHost`. */
export class HostConnection {
  readonly #options: ConnectToHostOptions
  readonly #peer: Peer
  #host: { info: Implementation; capabilities: HostCapabilities } | undefined
  #context: HostContext = {}
  #stop: (() => void) | undefined

  private constructor(options: ConnectToHostOptions) {
    this.#options = options
    const { channel = windowChannel({ target: globalThis.parent, origin: '*' }), timeoutMs = 60_000 } = options
    const delegate = {
      request: (request: IncomingRequest) => this.#answer(request),
      notification: (notification: Notification) => this.#notified(notification),
      abandoned: (requestId: RequestId, _method: string, reason: McpError) =>
        void this.#peer.notify('notifications/cancelled', { requestId, reason: reason.message }),
      toWireError: (thrown: unknown) => {
        if (isRpcError(thrown)) return thrown.toWire()
        options.onError?.(thrown as Error)
        return { code: ErrorCode.InternalError, message: 'Internal error' }
      },
      protocolError: (error: Error) => options.onError?.(error),
      closed: () => this.#stop?.(),
      batches: () => false,
      errorsWithoutId: () => false,
      answersForeign: () => false,
    }
    this.#peer = new Peer(channel, delegate, { timeoutMs })
    this.#peer.open()
  }

  /** Says hello; for `connectToHost`. */
  static async open(options: ConnectToHostOptions): Promise<HostConnection> {
    const connection = new HostConnection(options)
    try {
      await connection.#initialize()
    } catch (error) {
      await connection.close()
      throw error
    }
    return connection
  }

  /** The name and version of the host. */
  get host(): Implementation {
    return this.#host!.info
  }

  /** The capabilities of the host. */
  get capabilities(): HostCapabilities {
    return this.#host!.capabilities
  }

  /** The surroundings of the view; kept up to date. */
  get context(): Readonly<HostContext> {
    return this.#context
  }

  /** Calls a tool of the view's own server. A tool that ran and failed is a result with `isError`. */
  async callTool<Structured = unknown>(
    name: string,
    args: JsonObject = {},
    options: ViewCallOptions = {},
  ): Promise<ToolCallResult<Structured>> {
    const result = await this.#request('tools/call', { name, arguments: args }, options)
    if (!Array.isArray(result.content)) throw new McpError('invalid_result', 'tools/call: expected a list of content')
    return toToolResult<Structured>(result as unknown as CallToolResult)
  }

  /** Reads a resource of the view's own server. */
  async readResource(uri: string, options: ViewCallOptions = {}): Promise<ReadResourceResult> {
    return (await this.#request('resources/read', { uri }, options)) as unknown as ReadResourceResult
  }

  /** Requests the host to open a page. */
  async openLink(url: string | URL): Promise<void> {
    await this.#request(methods.openLink, { url: String(url) })
  }

  /** Says something in the conversation, as the user. */
  async sendMessage(content: string | ContentBlock[]): Promise<void> {
    await this.#request(methods.message, { role: 'user', content: toBlocks(content) })
  }

  /** Gives the model context for its next turns, in place of the earlier context of this view. */
  async updateModelContext(context: { content?: string | ContentBlock[]; structured?: JsonObject }): Promise<void> {
    const { content, structured } = context
    await this.#request(methods.updateModelContext, {
      ...(content !== undefined && { content: toBlocks(content) }),
      ...(structured !== undefined && { structuredContent: structured }),
    })
  }

  /** Requests another display mode, and returns the mode after that. */
  async requestDisplayMode(mode: DisplayMode): Promise<DisplayMode> {
    const { displayMode: current = 'inline', availableDisplayModes = [] } = this.#context
    // A mode that the host does not offer is not requested.
    if (!availableDisplayModes.includes(mode)) return current
    const result = await this.#request(methods.requestDisplayMode, { mode })
    return result.mode as DisplayMode
  }

  /** Writes to the host's log. */
  log(level: LoggingLevel, data: unknown, logger?: string): void {
    void this.#peer.notify('notifications/message', { level, data, ...(logger !== undefined && { logger }) })
  }

  /** Tells the host the size of the page, where `autoResize` is off. */
  resize(size: { width: number; height: number }): void {
    void this.#peer.notify(methods.sizeChanged, size)
  }

  close(): Promise<void> {
    return this.#peer.close()
  }

  async #initialize(): Promise<void> {
    const { info, displayModes = ['inline'], autoResize = true } = this.#options
    const appCapabilities = { availableDisplayModes: displayModes }
    const result = await this.#request(methods.initialize, {
      appInfo: info,
      appCapabilities,
      protocolVersion: appsVersion,
    })
    const { hostInfo, hostCapabilities = {}, hostContext = {} } = result
    if (!isObject(hostInfo)) throw new McpError('invalid_result', `${methods.initialize}: expected hostInfo`)
    this.#host = { info: hostInfo as unknown as Implementation, capabilities: hostCapabilities as HostCapabilities }
    this.#merge(isObject(hostContext) ? hostContext : {})
    void this.#peer.notify(methods.initialized, {})
    if (autoResize && globalThis.ResizeObserver !== undefined) this.#stop = watchSize((size) => this.resize(size))
  }

  #merge(change: HostContext): void {
    this.#context = { ...this.#context, ...change }
    const { hostStyles = true } = this.#options
    if (hostStyles && globalThis.document !== undefined) applyHostStyles(change)
  }

  #request(method: string, params: JsonObject, options: ViewCallOptions = {}): Promise<JsonObject> {
    const { onProgress, ...wait } = options
    const id = this.#peer.reserveId()
    if (onProgress === undefined) return this.#peer.request(id, method, params, wait)
    const watched: WaitOptions = { ...wait, onProgress: (progress) => onProgress(progress as unknown as Progress) }
    return this.#peer.request(id, method, { ...params, _meta: { progressToken: id } }, watched)
  }

  async #answer({ method, params = {} }: IncomingRequest): Promise<JsonObject> {
    if (method === 'ping') return {}
    if (method !== methods.teardown) throw notFound(method)
    await this.#options.onTeardown?.(String(params.reason ?? ''))
    return {}
  }

  #notified({ method, params = {} }: Notification): void {
    const { onToolInput, onToolInputPartial, onToolResult, onToolCancelled, onContextChanged } = this.#options
    switch (method) {
      case methods.toolInput:
        onToolInput?.(argumentsOf(params))
        break
      case methods.toolInputPartial:
        onToolInputPartial?.(argumentsOf(params))
        break
      case methods.toolResult:
        if (Array.isArray(params.content)) onToolResult?.(toToolResult(params as unknown as CallToolResult))
        break
      case methods.toolCancelled:
        onToolCancelled?.(String(params.reason ?? ''))
        break
      case methods.contextChanged:
        this.#merge(params)
        onContextChanged?.(params)
        break
      case 'notifications/progress':
        this.#peer.progressed(params.progressToken as RequestId, params)
    }
  }
}

/**
 * Connects a view to its host. The callbacks `on…` are called from here on: give them now, not later.
 *
 * @example
 * const host = await connectToHost({
 *   info: { name: 'clock', version: '1.0.0' },
 *   onToolResult: ({ text }) => { document.body.textContent = text },
 * })
 */
export const connectToHost = (options: ConnectToHostOptions): Promise<HostConnection> => HostConnection.open(options)

const toBlocks = (content: string | ContentBlock[]): ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

const argumentsOf = (params: JsonObject): JsonObject => (isObject(params.arguments) ? params.arguments : {})

const notFound = (method: string): RpcError => new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
