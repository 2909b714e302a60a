import type { McpError } from '../errors.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, Payload } from '../jsonrpc/message.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { LoggingLevel } from '../model/logging.ts'
import type { Revision } from '../model/revision.ts'
import type { Codec } from '../wire/codec.ts'
import type { ListPage } from './calls/pagination.ts'
import type { RequestSender } from './calls/request-sender.ts'
import type { ResponseCache } from './calls/response-cache.ts'
import type { ClientDescription } from './connecting/client-description.ts'
import type { ClientConnection } from './connecting/connection.ts'
import type { Opening, OpeningPlan, Unanswered } from './connecting/opening.ts'
import type { NotificationHandler, NotificationSinks } from './notifications/dispatch-notification.ts'
import type { ServerChanges } from './notifications/server-changes.ts'
import type { FilterEntries } from './stateless/subscription-filter.ts'
import type { CallOptions, ChangeKind, ServerDescription } from './types.ts'

/**
 * The differences between a conversation in a session and one in which every request describes its sender. `session/`
 * and `stateless/` implement it, `choose-conversation.ts` chooses, and all other code of the client serves both.
 */
export interface ClientConversation {
  // Opening

  /** The method that opens the conversation. */
  readonly opening: string
  /** Sends the opening request in the revision of the connection and waits for the answer. */
  open(connection: ClientConnection, plan: OpeningPlan): Promise<Opening>
  /** The same for a server of unknown age, which may leave the opening unanswered. */
  probe(connection: ClientConnection, plan: OpeningPlan, untried: readonly Revision[]): Promise<Opening | Unanswered>
  /** The revision, of some given newest first, for servers that do not survive the opening or do not answer it. */
  fallback(revisions: readonly Revision[]): Revision | undefined
  /** Completes the opening once both sides agree. */
  opened(connection: ClientConnection): void
  /** The client capabilities, as a server of the revision understands them. */
  declared(codec: Codec, plan: OpeningPlan): ClientCapabilities

  // Requests

  /** Members of `_meta` that describe the sender in every request. */
  envelope(description: ClientDescription, codec: Codec, usesTasks: boolean): JsonObject | undefined
  /** The cache, if results may be kept. */
  cacheFor(cache: ResponseCache | undefined): ResponseCache | undefined
  /** True if a result asks for input instead of being one. */
  isInputRequired(result: JsonObject, method: string, codec: Codec): boolean
  /** A page of a list, with `nextCursor` as the revision means it. */
  finishPage<Page extends ListPage>(page: Page): Page
  ping(requests: RequestSender, options: CallOptions): Promise<unknown>
  setLoggingLevel(
    level: LoggingLevel,
    connection: ClientConnection,
    requests: RequestSender,
    options: CallOptions,
  ): Promise<unknown>
  /** Sets the level of the connection before on a new one. */
  restoreLoggingLevel(level: LoggingLevel, requests: RequestSender): Promise<unknown>

  // Messages of the server

  /** True if a client may send the message once the conversation is open. */
  maySend(payload: Payload): boolean
  /** Throws if a server may not send requests. */
  assertRequestAllowed(request: IncomingRequest, connection: ClientConnection, report: (error: McpError) => void): void
  /** Handles a notification, unless it belongs to no subscription of this client. */
  deliver(
    method: string,
    params: JsonObject,
    sinks: NotificationSinks,
    connection: ClientConnection,
    handle: NotificationHandler,
  ): void

  // Subscriptions

  /** True if the server may announce changes of a list. */
  announces(kind: ChangeKind, server: ServerDescription): boolean
  /** Follows the listeners for list changes. */
  refresh(changes: ServerChanges): void
  subscribe(uri: string, changes: ServerChanges, server: ServerDescription): Promise<unknown>
  unsubscribe(uri: string, changes: ServerChanges): Promise<unknown>
  /** Subscribes to the status of a task, where that needs a subscription; the returned function ends it. */
  subscribeToTask(taskId: string, changes: ServerChanges): Promise<() => void>
  /** The filter of `subscriptions/listen` for some fields and values. */
  listenFilter(fields: Iterable<string>, values: Iterable<string>): FilterEntries
  /** Renews the subscriptions on a new connection. */
  resubscribe(changes: ServerChanges): Promise<void>
}
