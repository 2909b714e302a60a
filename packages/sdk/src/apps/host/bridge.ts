import { ErrorCode, isRpcError, McpError, RpcError } from '../../errors.ts'
import { type Gate, gate } from '../../internal/gate.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject, Notification, RequestId, WireError } from '../../jsonrpc/message.ts'
import { Peer } from '../../jsonrpc/peer.ts'
import { isLoggingLevel } from '../../model/logging.ts'
import type { Implementation } from '../../model/meta.ts'
import { version } from '../../version.ts'
import {
  type AppCapabilities,
  type AppCsp,
  type AppDescription,
  type AppPermissions,
  appsVersion,
  type DisplayMode,
  type HostCapabilities,
  type HostContext,
  isDisplayMode,
  methods,
} from '../vocabulary.ts'
import type { AnyToolResult, AppClient } from './app-client.ts'
import type { AppCallbacks } from './callbacks.ts'
import { ViewOutbox } from './outbox.ts'
import { answersFor, expected } from './requests.ts'
import { type AppTraffic, watchChannel } from './watch-channel.ts'

/** A request of a view, and its outcome. */
export interface AppRequest {
  method: string
  params: JsonObject
  /** The error that the view was given, if any. */
  error?: WireError
}

export interface AppBridgeOptions extends AppCallbacks {
  /** The connection to the server that the view came from. */
  client: AppClient
  /** The name and version of the host. */
  info?: Implementation
  /** The surroundings of the view. */
  context?: HostContext
  /** The permissions and origins that the sandbox allows. */
  sandbox?: { csp?: AppCsp; permissions?: AppPermissions }
  /** Called for every request of the view once it is answered: for an audit trail. */
  onRequest?: (request: AppRequest) => void
  /** Called with every message in both directions: for debugging. */
  onMessage?: (message: AppTraffic) => void
  /** Protocol errors of the view and exceptions of callbacks. */
  onError?: (error: Error) => void
  /** Requests of the view in work at once. Default: 32. */
  maxRequests?: number
  /** How long a view may take to say goodbye. Default: 1 s. */
  teardownTimeoutMs?: number
}

/** The host's end of a conversation with a view. It says nothing before the view has initialized itself. */
export class AppBridge implements AsyncDisposable {
  readonly #options: AppBridgeOptions
  readonly #peer: Peer
  readonly #answers: ReadonlyMap<string, (params: JsonObject, request: IncomingRequest) => Promise<JsonObject>>
  readonly #outbox: ViewOutbox
  readonly #ready: Gate = gate()
  readonly #gone: Gate = gate()
  readonly #onSandboxReady: (() => void) | undefined
  #context: HostContext
  #app: AppDescription | undefined
  #initialized = false
  #reason: McpError | undefined
  #closing: Promise<void> | undefined

  /** `onSandboxReady` is called for the sandbox page, which uses the same channel before the view does. */
  constructor(channel: Channel, options: AppBridgeOptions, onSandboxReady?: () => void) {
    this.#options = options
    this.#context = { ...options.context }
    this.#onSandboxReady = onSandboxReady
    this.#outbox = new ViewOutbox((method, params) => void this.#peer.notify(method, params))
    this.#answers = answersFor({
      client: options.client,
      callbacks: options,
      progressed: (progressToken, progress) =>
        void this.#peer.notify('notifications/progress', { progressToken, ...progress }),
    })
    const delegate = {
      request: (request: IncomingRequest) => this.#answer(request),
      notification: (notification: Notification) => this.#notified(notification),
      abandoned: (requestId: RequestId, _method: string, reason: McpError) =>
        void this.#peer.notify('notifications/cancelled', { requestId, reason: reason.message }),
      toWireError: (thrown: unknown) => this.#toWireError(thrown),
      protocolError: (error: Error) => this.#report(error),
      closed: (reason: McpError) => this.#closed(reason),
      batches: () => false,
      errorsWithoutId: () => false,
      answersForeign: () => false,
    }
    const { maxRequests = 32 } = options
    this.#peer = new Peer(this.#watched(channel), delegate, { maxIncoming: maxRequests, urgent: new Set(['ping']) })
    this.#peer.open()
  }

  /** The introduction of the view, once it has initialized itself; never settles for a page that does not. */
  get initialized(): Promise<AppDescription> {
    return this.#ready.passed.then(() => this.#app!)
  }

  /** Resolves with the reason when the conversation is over; never rejects. */
  get closed(): Promise<McpError> {
    return this.#gone.passed.then(() => this.#reason!)
  }

  /** Arguments of the call while they are still being written; ignored after `toolInput`. */
  toolInputPartial(args: JsonObject): void {
    this.#outbox.partial(args)
  }

  /** The arguments of the call that the view shows; once, before the result. */
  toolInput(args: JsonObject): void {
    this.#outbox.input(args)
  }

  /** How the call ended. */
  toolResult(result: AnyToolResult): void {
    this.#outbox.result(result)
  }

  /** The call will not end with a result. */
  toolCancelled(reason: string = ''): void {
    this.#outbox.cancelled(reason)
  }

  /** The surroundings of the view. */
  get context(): Readonly<HostContext> {
    return this.#context
  }

  /** Sends the changed members to the view. */
  updateContext(change: HostContext): void {
    const { displayMode } = change
    if (displayMode !== undefined && !this.#viewHas(displayMode)) {
      throw new McpError('invalid_argument', `displayMode: the view does not support ${JSON.stringify(displayMode)}`)
    }
    this.#context = { ...this.#context, ...change }
    // Before `ui/initialize` a view knows nothing that could change.
    if (this.#app) this.#outbox.contextChanged(change)
  }

  /** Lets the view finish, within bounds, and ends the conversation. */
  close(reason: string = 'The host closed the view'): Promise<void> {
    this.#closing ??= this.#close(reason)
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(reason: string): Promise<void> {
    if (this.#initialized && this.#reason === undefined) {
      const { teardownTimeoutMs = 1_000 } = this.#options
      const wait = { timeoutMs: teardownTimeoutMs, maxTotalMs: teardownTimeoutMs }
      // Every answer will do: the view had its chance.
      await this.#peer.request(this.#peer.reserveId(), methods.teardown, { reason }, wait).catch(() => {})
    }
    await this.#peer.close()
  }

  #closed(reason: McpError): void {
    this.#reason = reason
    this.#gone.open()
  }

  // Requests of the view

  async #answer(request: IncomingRequest): Promise<JsonObject> {
    const { method, params = {} } = request
    try {
      const result = await this.#run(method, params, request)
      this.#tell({ method, params })
      return result
    } catch (thrown) {
      const error = this.#toWireError(thrown)
      this.#tell({ method, params, error })
      throw new RpcError(error.code, error.message, error.data)
    }
  }

  #run(method: string, params: JsonObject, request: IncomingRequest): MaybePromise<JsonObject> {
    if (method === 'ping') return {}
    if (method === methods.initialize) return this.#initialize(params)
    if (!this.#initialized) throw new RpcError(ErrorCode.InvalidRequest, `Expected ${methods.initialize} first`)
    if (method === methods.requestDisplayMode) return this.#changeMode(params)
    const answer = this.#answers.get(method)
    if (answer === undefined) throw new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
    return answer(params, request)
  }

  #initialize({ appInfo, appCapabilities = {}, protocolVersion }: JsonObject): JsonObject {
    if (this.#app) throw new RpcError(ErrorCode.InvalidRequest, 'The view has been initialized already')
    if (!isObject(appInfo) || typeof appInfo.name !== 'string' || typeof appInfo.version !== 'string')
      throw expected('appInfo', 'an object with a name and a version', appInfo)
    if (!isObject(appCapabilities)) throw expected('appCapabilities', 'an object', appCapabilities)
    if (typeof protocolVersion !== 'string') throw expected('protocolVersion', 'a string', protocolVersion)
    const info = appInfo as unknown as Implementation
    this.#app = { info, capabilities: readCapabilities(appCapabilities), protocolVersion }
    return {
      protocolVersion: appsVersion,
      hostInfo: this.#options.info ?? { name: 'tenon', version },
      hostCapabilities: this.#capabilities(),
      hostContext: this.#context,
    }
  }

  #capabilities(): HostCapabilities {
    const { callTool, readResource, openLink, message, updateModelContext, log, sandbox } = this.#options
    return {
      ...(callTool && { serverTools: {} }),
      ...(readResource && { serverResources: {} }),
      ...(openLink && { openLinks: {} }),
      ...(message && { message: { text: {} } }),
      ...(updateModelContext && { updateModelContext: { text: {} } }),
      ...(log && { logging: {} }),
      sandbox: { csp: sandbox?.csp ?? {}, permissions: sandbox?.permissions ?? {} },
    }
  }

  async #changeMode({ mode }: JsonObject): Promise<JsonObject> {
    if (!isDisplayMode(mode)) throw expected('mode', '"inline", "fullscreen" or "pip"', mode)
    const change = this.#options.requestDisplayMode
    const { displayMode: current = 'inline', availableDisplayModes = [] } = this.#context
    const possible = mode !== current && availableDisplayModes.includes(mode) && this.#viewHas(mode)
    if (!change || !possible || (await change(mode)) === false) return { mode: current }
    this.updateContext({ displayMode: mode })
    return { mode }
  }

  #viewHas(mode: DisplayMode): boolean {
    const declared = this.#app?.capabilities.availableDisplayModes
    return declared === undefined || declared.includes(mode)
  }

  // Notifications of the view

  #notified({ method, params = {} }: Notification): void {
    if (method === methods.sandboxReady) this.#onSandboxReady?.()
    else if (method === methods.initialized) this.#start()
    else if (!this.#initialized) return
    else if (method === methods.sizeChanged) this.#resized(params)
    else if (method === 'notifications/message') this.#logged(params)
    else if (method === 'notifications/cancelled') {
      this.#peer.cancelIncoming(params.requestId as RequestId, 'The view gave up')
    }
  }

  #start(): void {
    if (this.#app === undefined || this.#initialized) return
    this.#initialized = true
    this.#ready.open()
    this.#outbox.open()
  }

  #resized({ width, height }: JsonObject): void {
    const size = { ...(isLength(width) && { width }), ...(isLength(height) && { height }) }
    if (Object.keys(size).length > 0) this.#options.sizeChanged?.(size)
  }

  #logged({ level, logger, data }: JsonObject): void {
    if (!isLoggingLevel(level)) return
    this.#options.log?.({ level, data, ...(typeof logger === 'string' && { logger }) })
  }

  // Errors

  /** A view gets the errors of its server and of the host's callbacks, and no details of failures. */
  #toWireError(thrown: unknown): WireError {
    if (isRpcError(thrown)) return thrown.toWire()
    this.#report(thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown }))
    return { code: ErrorCode.InternalError, message: 'Internal error' }
  }

  /** The channel, with its messages told to `onMessage`. */
  #watched(channel: Channel): Channel {
    const { onMessage } = this.#options
    if (onMessage === undefined) return channel
    return watchChannel(channel, (message) => {
      try {
        onMessage(message)
      } catch (error) {
        this.#report(error as Error)
      }
    })
  }

  #report(error: Error): void {
    try {
      this.#options.onError?.(error)
    } catch {}
  }

  #tell(request: AppRequest): void {
    try {
      this.#options.onRequest?.(request)
    } catch (error) {
      this.#report(error as Error)
    }
  }
}

const isLength = (value: unknown): value is number => typeof value === 'number' && value >= 0 && Number.isFinite(value)

/** Unknown modes are left out, and a list of nothing else means none. */
function readCapabilities(capabilities: JsonObject): AppCapabilities {
  const { availableDisplayModes: modes, ...rest } = capabilities
  return { ...rest, ...(Array.isArray(modes) && { availableDisplayModes: modes.filter(isDisplayMode) }) }
}
