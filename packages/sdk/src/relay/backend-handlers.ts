import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { JsonObject, Notification } from '../jsonrpc/message.ts'
import type { ServerCapabilities } from '../model/capabilities.ts'
import type { Implementation } from '../model/meta.ts'
import type { InputRequired } from '../server/questions/input-required.ts'
import type { BackendRequest } from './backend-request.ts'
import type { BackendSender } from './backend-sender.ts'
import type { BackendSession } from './backend-session.ts'

/** The description that a server gives of itself. */
export interface BackendIntroduction {
  /** The server that answers; default: the server that has the backend. */
  info?: Implementation | undefined
  capabilities: ServerCapabilities
  instructions?: string | undefined
}

/** The filter of `subscriptions/listen`. */
export interface ListenFilter {
  toolsListChanged?: boolean
  promptsListChanged?: boolean
  resourcesListChanged?: boolean
  resourceSubscriptions?: string[]
  taskIds?: string[]
}

/** A subscription that is under way. */
export interface BackendListening {
  /** The part of the filter that is honoured. */
  honoured: ListenFilter
  /** Resolves when no more notifications will come. */
  ended?: Promise<unknown>
  stop(): MaybePromise<void>
}

/** How a proxy answers. Params and results have the shapes of the newest revision, for every client. */
export interface BackendHandlers {
  /** Describes the server, to a client with a session or without. */
  introduce(to: BackendSession | BackendRequest): MaybePromise<BackendIntroduction>
  /**
   * Answers any request but `initialize`, `server/discover` and `subscriptions/listen`; those of extensions as they came.
   * `inputRequired` ends it with questions, in every revision: it is then called again with `request.input`.
   */
  answer(request: BackendRequest): Promise<JsonObject | InputRequired>
  /** Subscribes a client without a session; `tell` sends a notification. */
  listen(
    request: BackendRequest,
    filter: ListenFilter,
    tell: (method: string, params: JsonObject) => void,
  ): Promise<BackendListening>
  /**
   * A client sent a notification, in a session or without one; its `_meta` lacks the members that are for this hop alone.
   * Cancellations take effect without this.
   */
  notified?(from: BackendSession | BackendSender, notification: Notification): void
  /** A session ended. */
  closed?(session: BackendSession): void
  /** A connection ended on which requests came without a session; `line` is theirs. */
  lineClosed?(line: object): void
}
