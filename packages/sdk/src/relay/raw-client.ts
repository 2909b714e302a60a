import { ClientDescription } from '../client/connecting/client-description.ts'
import type { ClientConnection } from '../client/connecting/connection.ts'
import { type ConnectionListeners, ReconnectingConnection } from '../client/connecting/reconnecting-connection.ts'
import { openTarget, type Target } from '../client/connecting/target.ts'
import { withTrafficListener } from '../client/connecting/traffic-listener.ts'
import { notFound } from '../client/input/answer-errors.ts'
import { ElicitationIds } from '../client/input/elicitation-ids.ts'
import { answerWithRelatedTask } from '../client/input/related-task.ts'
import { dispatchNotification, type NotificationSinks } from '../client/notifications/dispatch-notification.ts'
import { ServerChanges } from '../client/notifications/server-changes.ts'
import { type ClientSettings, type ConnectOptions, resolveOptions, toError } from '../client/options.ts'
import type { CallOptions, ChangeKind, ResourceUpdate, ServerDescription, Watch } from '../client/types.ts'
import type { McpError } from '../errors.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, Notification } from '../jsonrpc/message.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { LoggingLevel } from '../model/logging.ts'
import type { Implementation } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'
import { canSay } from '../wire/passing.ts'
import { RawRequestSender } from './raw-requests.ts'

/** A request of the server, in the words of the newest revision. */
export interface RawQuestion {
  readonly method: string
  readonly params: JsonObject
  /** Fires when the server withdraws it, or the connection ends. */
  readonly signal: AbortSignal
}

/** The client that a request is sent for, in revisions whose requests describe their sender. */
export interface RawSender {
  info?: Implementation | undefined
  capabilities: ClientCapabilities
  logLevel?: LoggingLevel | undefined
}

export interface RawCallOptions extends Pick<CallOptions, 'signal' | 'onProgress' | 'timeoutMs'> {
  /** Default: the client itself. */
  sender?: RawSender
}

type Inherited = Exclude<
  keyof ConnectOptions,
  'elicit' | 'sample' | 'roots' | 'capabilities' | 'extensions' | 'validate' | 'cache' | 'tasks' | 'onNotification'
>

export interface RawClientOptions extends Pick<ConnectOptions, Inherited> {
  /** The declared capabilities, for which `answer` is responsible. */
  capabilities?: ClientCapabilities
  /** Answers any request of the server; throws an `RpcError` to refuse. */
  answer?: (question: RawQuestion) => Promise<JsonObject>
  /** Called with notifications, except for progress, cancellations and changes, which have their own listeners. */
  told?: (method: string, params: JsonObject) => void
  /** The revision to offer first. Default: the newest. */
  firstRevision?: Revision
  /** There is a new connection: the server was started again, or forgot its session. */
  onRestored?: (because: 'restart' | 'session') => void
}

/** The notifications that `told` does not get. */
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
 * A client that passes messages on: it answers no request itself, polls no task, keeps and checks no result. Messages
 * are in the words of the newest revision, whichever the server speaks.
 */
export class RawClient implements AsyncDisposable {
  readonly #connection: ReconnectingConnection
  readonly #requests: RawRequestSender
  readonly #changes: ServerChanges

  private constructor(connection: ReconnectingConnection, requests: RawRequestSender, changes: ServerChanges) {
    this.#connection = connection
    this.#requests = requests
    this.#changes = changes
  }

  static async open(target: Target, options: RawClientOptions): Promise<RawClient> {
    const { answer: _, told: __, onRestored: ___, firstRevision, ...plain } = options
    const settings = resolveOptions(plain)
    const opener = withTrafficListener(openTarget(target, settings), settings)
    const connection = new ReconnectingConnection(opener, settings, new ClientDescription(settings))
    const requests = new RawRequestSender(connection)
    const changes = new ServerChanges(
      connection,
      (method, params) => requests.request(method, params),
      () => {},
    )
    await connection.start(rawListeners(options, settings, changes), firstRevision)
    return new RawClient(connection, requests, changes)
  }

  /** The server's description of itself. */
  get server(): ServerDescription {
    return this.#connection.latest.server
  }

  /** True if the server sends requests of its own, during calls and between them. */
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

  /** Sends a request once. Input requests in place of a result are a result here. */
  request(method: string, params: JsonObject = {}, options: RawCallOptions = {}): Promise<JsonObject> {
    return this.#requests.request(method, params, options)
  }

  /** Sends a notification, if the revision has it or no revision does. */
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

  /** Subscribes to a task, if its notifications need that; `told` gets them. The returned function unsubscribes. */
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
}

function rawListeners(
  options: RawClientOptions,
  settings: ClientSettings,
  changes: ServerChanges,
): ConnectionListeners {
  const { report } = settings
  const sinks: NotificationSinks = {
    settings,
    changes,
    elicitations: new ElicitationIds(),
    changed: () => {},
    updated: () => {},
    taskChanged: () => {},
  }
  return {
    request: (request, connection) => answerRaw(request, connection, options.answer),
    notification(message, connection) {
      dispatchNotification(message, connection, sinks)
      passOn(message, connection, options.told, report)
    },
    restored(connection, because) {
      changes.renew(connection).catch((error: unknown) => report(toError(error)))
      options.onRestored?.(because)
    },
  }
}

async function answerRaw(
  request: IncomingRequest,
  connection: ClientConnection,
  answer: RawClientOptions['answer'],
): Promise<JsonObject> {
  const { method, params } = request
  const { codec, conversation } = connection
  conversation.assertRequestAllowed(request, connection, () => {})
  if (method === 'ping') return {}
  if (answer === undefined) throw notFound(method)
  const known = codec.requests.server.has(method)
  const decoded = known ? codec.decodeParams(method, params) : (params ?? {})
  const encoded = codec.encodeResult(method, await answer({ method, params: decoded, signal: request.signal }))
  return codec.tasks === undefined ? encoded : answerWithRelatedTask(encoded, params)
}

function passOn(
  { method, params = {} }: Notification,
  { codec }: ClientConnection,
  told: RawClientOptions['told'],
  report: (error: Error) => void,
): void {
  if (ownWays.has(method) || !canSay(codec, 'server', method)) return
  const said = codec.notifications.server.has(method) ? codec.decodeParams(method, params) : params
  try {
    told?.(method, said)
  } catch (error) {
    report(toError(error))
  }
}

/** Connects to a server as `connect` does, and passes its messages on: for proxies. */
export function connectRaw(target: Target, options: RawClientOptions = {}): Promise<RawClient> {
  return RawClient.open(target, options)
}
