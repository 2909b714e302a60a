import type { McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, Payload } from '../jsonrpc/message.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { LoggingLevel } from '../model/logging.ts'
import type { Revision } from '../model/revision.ts'
import type { Codec } from '../wire/codec.ts'
import type { ListPage } from './calls/pagination.ts'
import type { Opening, OpeningPlan, Unanswered } from './connecting/opening.ts'
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
  open(connection: ConversationConnection, plan: OpeningPlan): Promise<Opening>
  /** The same for a server of unknown age, which may leave the opening unanswered. */
  probe(
    connection: ConversationConnection,
    plan: OpeningPlan,
    untried: readonly Revision[],
  ): Promise<Opening | Unanswered>
  /** The revision, of some given newest first, for servers that do not survive the opening or do not answer it. */
  fallback(revisions: readonly Revision[]): Revision | undefined
  /** Completes the opening once both sides agree. */
  opened(connection: ConversationConnection): void
  /** The client capabilities, as a server of the revision understands them. */
  declared(codec: Codec, plan: OpeningPlan): ClientCapabilities

  // Requests

  /** Members of `_meta` that describe the sender in every request. */
  envelope(sender: SelfDescription, codec: Codec, usesTasks: boolean): JsonObject | undefined
  /** True if results may be kept. */
  readonly cachesResults: boolean
  /** True if a result asks for input instead of being one. */
  isInputRequired(result: JsonObject, method: string, codec: Codec): boolean
  /** A page of a list, with `nextCursor` as the revision means it. */
  finishPage<Page extends ListPage>(page: Page): Page
  ping(requests: ConversationRequests, options: CallOptions): Promise<unknown>
  setLoggingLevel(
    level: LoggingLevel,
    server: ServerDescription,
    requests: ConversationRequests,
    options: CallOptions,
  ): Promise<unknown>
  /** Sets the level of the connection before on a new one. */
  restoreLoggingLevel(level: LoggingLevel, requests: ConversationRequests): Promise<unknown>

  // Messages of the server

  /** True if a client may send the message once the conversation is open. */
  maySend(payload: Payload): boolean
  /** The request of its own that a server says it cannot send in this conversation, read from its words. */
  unsentQuestion(said: string): string | undefined
  /** Throws if a server may not send requests. */
  assertRequestAllowed(
    request: IncomingRequest,
    connection: ConversationConnection,
    report: (error: McpError) => void,
  ): void
  /** Handles a notification, unless it belongs to no subscription of this client. */
  deliver<S extends SubscribedSinks, C extends ConversationConnection>(
    method: string,
    params: JsonObject,
    sinks: S,
    connection: C,
    handle: (params: JsonObject, sinks: S, connection: C) => void,
  ): void

  // Subscriptions

  /** True if the server may announce changes of a list. */
  announces(kind: ChangeKind, server: ServerDescription): boolean
  /** Follows the listeners for list changes. */
  refresh(changes: ChangeSubscriptions): void
  subscribe(uri: string, changes: ChangeSubscriptions, server: ServerDescription): Promise<unknown>
  unsubscribe(uri: string, changes: ChangeSubscriptions): Promise<unknown>
  /** Subscribes to the status of a task, where that needs a subscription; the returned function ends it. */
  subscribeToTask(taskId: string, changes: ChangeSubscriptions): Promise<() => void>
  /** The filter of `subscriptions/listen` for some fields and values. */
  listenFilter(fields: Iterable<string>, values: Iterable<string>): FilterEntries
  /** Renews the subscriptions on a new connection. */
  resubscribe(changes: ChangeSubscriptions): Promise<void>
}

/** The connection that a conversation is held on. */
export interface ConversationConnection {
  /** The codec of the agreed revision, or of the one that is being tried. */
  readonly codec: Codec
  readonly peer: Pick<Peer, 'cancelIncoming'>
  /** Resolves with the first output of a server that is being started; undefined if it runs already. */
  readonly firstSign: Promise<void> | undefined
  /** Sends a request once; the result is as it arrived. */
  ask(method: string, params: JsonObject, options?: CallOptions): Promise<JsonObject>
  notify(method: string, params?: JsonObject): MaybePromise<void>
}

/** A client's description of itself in requests. */
export interface SelfDescription {
  envelope(codec: Codec, usesTasks: boolean): JsonObject
}

/** Sends requests on the connection in use. */
export interface ConversationRequests {
  /** A method of the protocol, if the server declared it. */
  call(method: string, params: JsonObject, options?: CallOptions): Promise<JsonObject>
  /** Any method, without a check of capabilities. */
  request(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject>
}

/** The subscriptions of a client to changes at the server. */
export interface ChangeSubscriptions {
  readonly subscriptions: ListenSubscriptions
  readonly watches: { renew(mayHaveMissed: boolean): Promise<void> }
  readonly call: (method: string, params: JsonObject) => Promise<unknown>
  /** All lists, and results that were kept, may be out of date. */
  outdated(): void
}

/** The subscriptions that are streams of `subscriptions/listen`. */
export interface ListenSubscriptions {
  subscribe(field: string, value: string): Promise<void>
  unsubscribe(field: string, value: string): Promise<void>
  /** Brings the filter up to date. */
  refresh(): Promise<void>
  /** There is a new connection, which knows no subscription. */
  renew(): void
  /** There is a new connection, without streams. */
  clear(): void
  /** Delivers a notification of a stream in use; those of others are dropped or wait. */
  receive(method: string, params: JsonObject, connection: ConversationConnection, deliver: () => void): void
}

/** The receivers of notifications, as far as those of subscriptions need them. */
interface SubscribedSinks {
  readonly changes: Pick<ChangeSubscriptions, 'subscriptions'>
}
