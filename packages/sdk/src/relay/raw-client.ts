import { ClientDescription } from '../client/connecting/client-description.ts'
import { connectToTarget } from '../client/connecting/connect-to-target.ts'
import type { ClientConnection, ConnectionOwner, SendOptions } from '../client/connecting/connection.ts'
import type { ReconnectingConnection } from '../client/connecting/reconnecting-connection.ts'
import { type Opener, openTarget, type Target } from '../client/connecting/target.ts'
import { withTrafficListener } from '../client/connecting/traffic-listener.ts'
import { ElicitationIds } from '../client/input/elicitation-ids.ts'
import { notFound } from '../client/input/input-sources.ts'
import { answerWithRelatedTask } from '../client/input/related-task.ts'
import { dispatchNotification } from '../client/notifications/dispatch-notification.ts'
import { ServerChanges } from '../client/notifications/server-changes.ts'
import { type ClientSettings, type ConnectOptions, resolveOptions, toError } from '../client/options.ts'
import type { CallOptions, ChangeKind, ResourceUpdate, ServerDescription, Watch } from '../client/types.ts'
import { isMcpError, type McpError } from '../errors.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, Notification } from '../jsonrpc/message.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { LoggingLevel } from '../model/logging.ts'
import type { Implementation } from '../model/meta.ts'
import type { Task } from '../model/tasks.ts'
import { canSay, readAnswer } from '../wire/passing.ts'

/** A question of the server, in the words of the newest revision. */
export interface RawQuestion {
  readonly method: string
  readonly params: JsonObject
  /** Fires when the server withdraws it, or the connection ends. */
  readonly signal: AbortSignal
}

/** Whom a request is sent for, where requests describe their sender. */
export interface RawSender {
  info?: Implementation | undefined
  capabilities: ClientCapabilities
  logLevel?: LoggingLevel | undefined
}

export interface RawCallOptions extends Pick<CallOptions, 'signal' | 'onProgress' | 'timeoutMs'> {
  /** Default: what was given to `connectRaw`. */
  sender?: RawSender
}

type Inherited = Exclude<
  keyof ConnectOptions,
  'elicit' | 'sample' | 'roots' | 'capabilities' | 'extensions' | 'validate' | 'cache' | 'tasks' | 'onNotification'
>

export interface RawClientOptions extends Pick<ConnectOptions, Inherited> {
  /** What is declared. Whoever declares it answers it. */
  capabilities?: ClientCapabilities
  /** Answers what the server asks, whatever it is; throws an `RpcError` to refuse. */
  answer?: (question: RawQuestion) => Promise<JsonObject>
  /** Hears what the server says, except for progress, cancellations and changes, which have their own ways. */
  told?: (method: string, params: JsonObject) => void
  /** The connection is another now: the server was started again, or forgot its session. */
  onRestored?: (because: 'restart' | 'session') => void
}

/** What is not the business of whoever hears the rest. */
const ownWays: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/progress',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/updated',
  'notifications/subscriptions/acknowledged',
])

/**
 * A client that passes on what it gets: it answers no question itself, follows no task, keeps and checks no result. The
 * words are those of the newest revision, whatever the server speaks.
 */
export class RawClient implements AsyncDisposable {
  readonly #settings: ClientSettings
  readonly #options: RawClientOptions
  readonly #connection: ReconnectingConnection
  readonly #changes: ServerChanges
  readonly #description: ClientDescription
  /** What senders say of themselves is made once for each. */
  readonly #senders = new WeakMap<RawSender, ClientDescription>()

  private constructor(opener: Opener, options: RawClientOptions, settings: ClientSettings) {
    this.#options = options
    this.#settings = settings
    this.#description = new ClientDescription(settings)
    this.#changes = new ServerChanges({
      settings,
      connection: () => this.#connection.current(),
      call: (method, params) => this.request(method, params),
      forget: () => {},
    })
    this.#connection = connectToTarget(opener, this.#owner(), (connection, because) =>
      this.#restored(connection, because),
    )
    void this.closed.then(() => this.#changes.close())
  }

  static async open(target: Target, options: RawClientOptions): Promise<RawClient> {
    const { answer: _, told: __, onRestored: ___, ...plain } = options
    const settings = resolveOptions(plain)
    const client = new RawClient(withTrafficListener(openTarget(target, settings), settings), options, settings)
    await client.#connection.start()
    return client
  }

  /** What the server said about itself. */
  get server(): ServerDescription {
    return this.#connection.latest.server
  }

  /** True if the server asks by requests of its own, during calls and between them. */
  get asksLive(): boolean {
    return this.#connection.latest.codec.requests.server.size > 0
  }

  /** Resolves with the reason when the connection is gone for good; never rejects. */
  get closed(): Promise<McpError> {
    return this.#connection.closed
  }

  /** True if the server's revision has a request of this name. */
  knows(method: string): boolean {
    return this.#connection.latest.codec.requests.client.has(method)
  }

  /** Sends a request once. What the server asks for in place of a result is a result here. */
  async request(method: string, params: JsonObject = {}, options: RawCallOptions = {}): Promise<JsonObject> {
    const { sender, ...call } = options
    const description = sender && this.#introduced(sender)
    const send = { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY, ...call }
    return this.#send(method, params, description === undefined ? send : { ...send, description })
  }

  /** Sends a notification, if the revision has it or nobody knows it. */
  async notify(method: string, params: JsonObject = {}): Promise<void> {
    const connection = await this.#connection.current()
    if (canSay(connection.codec, 'client', method)) await connection.notify(method, params)
  }

  /** Calls the listener when a list of the server has changed, or may have. */
  onChange(kind: ChangeKind, listener: () => void): () => void {
    return this.#changes.onChange(kind, listener, this.#connection.latest)
  }

  /** Calls the listener when a resource changes, until the watch is closed. */
  watch(uri: string, listener: (update: ResourceUpdate) => void): Promise<Watch> {
    return this.#changes.watches.add(uri, listener)
  }

  /** Has the server tell of a task, where that has to be asked for; it is told by `told`. Returns the end of that. */
  watchTask(taskId: string): Promise<() => void> {
    return this.#connection.latest.conversation.subscribeToTask(taskId, this.#changes)
  }

  /** Ends the connection; a server process is gone when this resolves. */
  close(): Promise<void> {
    this.#changes.close()
    return this.#connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #introduced(sender: RawSender): ClientDescription {
    const known = this.#senders.get(sender)
    if (known !== undefined) return known
    const { info, capabilities, logLevel } = sender
    const made = new ClientDescription({ ...this.#settings, ...(info && { info }), capabilities })
    made.logLevel = logLevel
    this.#senders.set(sender, made)
    return made
  }

  async #send(
    method: string,
    params: JsonObject,
    options: SendOptions,
    renewed?: ClientConnection,
  ): Promise<JsonObject> {
    const connection = renewed ?? (await this.#connection.current(options.signal))
    try {
      const answer = await connection.ask(method, params, options)
      return readAnswer(connection.codec, method, answer, params)
    } catch (error) {
      if (!isForgotten(error) || renewed !== undefined) throw error
      return this.#send(method, params, options, await this.#connection.renew(connection))
    }
  }

  #owner(): ConnectionOwner {
    const sinks = {
      settings: this.#settings,
      changes: this.#changes,
      elicitations: new ElicitationIds(),
      changed: () => {},
      updated: () => {},
      taskChanged: (_: Pick<Task, 'taskId'>) => {},
    }
    return {
      settings: this.#settings,
      description: this.#description,
      answer: (request, connection) => this.#answer(request, connection),
      notified: (message, connection) => {
        dispatchNotification(message, connection, sinks)
        this.#told(message, connection)
      },
      closed: (connection, reason) => this.#connection.lost(connection, reason),
    }
  }

  async #answer(request: IncomingRequest, connection: ClientConnection): Promise<JsonObject> {
    const { method } = request
    const { codec, conversation } = connection
    conversation.assertRequestAllowed(request, connection, () => {})
    if (method === 'ping') return {}
    if (this.#options.answer === undefined) throw notFound(method)
    const known = codec.requests.server.has(method)
    const params = known ? codec.decodeParams(method, request.params) : (request.params ?? {})
    const said = await this.#options.answer({ method, params, signal: request.signal })
    const answer = codec.encodeResult(method, said)
    return codec.tasks === undefined ? answer : answerWithRelatedTask(answer, request.params)
  }

  #told({ method, params = {} }: Notification, { codec }: ClientConnection): void {
    if (ownWays.has(method) || !canSay(codec, 'server', method)) return
    const said = codec.notifications.server.has(method) ? codec.decodeParams(method, params) : params
    try {
      this.#options.told?.(method, said)
    } catch (error) {
      this.#settings.report(toError(error))
    }
  }

  #restored(connection: ClientConnection, because: 'restart' | 'session'): void {
    this.#changes.renew(connection).catch((error: unknown) => this.#settings.report(toError(error)))
    this.#options.onRestored?.(because)
  }
}

const isForgotten = (error: unknown): boolean => isMcpError(error) && error.code === 'session_expired'

/** Connects to a server as `connect` does, and passes on what it says: for proxies. */
export function connectRaw(target: Target, options: RawClientOptions = {}): Promise<RawClient> {
  return RawClient.open(target, options)
}
