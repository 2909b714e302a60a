import type { JsonObject, Notification } from '../jsonrpc/message.ts'
import type { ServerCapabilities } from '../model/capabilities.ts'
import type { Implementation } from '../model/meta.ts'
import type { InputRequired } from '../server/questions/input-required.ts'
import type { Soon } from '../soon.ts'
import type { BackendRequest } from './backend-request.ts'
import type { BackendSession } from './backend-session.ts'

/** What a server says of itself. */
export interface BackendIntroduction {
  /** Who answers; left out, the client is told the name of the server that has the backend. */
  info?: Implementation | undefined
  capabilities: ServerCapabilities
  instructions?: string | undefined
}

/** What a client wants to hear of, in the words of `subscriptions/listen`. */
export interface ListenFilter {
  toolsListChanged?: boolean
  promptsListChanged?: boolean
  resourcesListChanged?: boolean
  resourceSubscriptions?: string[]
  taskIds?: string[]
}

/** A subscription that is under way. */
export interface BackendListening {
  /** The part of the filter that will be told. */
  honoured: ListenFilter
  /** Resolves when nothing more will be told. */
  ended?: Promise<unknown>
  stop(): Soon<void>
}

/** How a proxy answers. Params and results are in the words of the newest revision, whatever the client speaks. */
export interface BackendHandlers {
  /** Says who the server is, to a client with a session or to one that asks without. */
  introduce(to: BackendSession | BackendRequest): Soon<BackendIntroduction>
  /**
   * Answers any request but `initialize`, `server/discover` and `subscriptions/listen`; those of extensions as they came.
   * `inputRequired` ends it with questions, in every revision: it is then called again with `request.input`.
   */
  answer(request: BackendRequest): Promise<JsonObject | InputRequired>
  /** Tells a client without a session what it asked for; `tell` sends what a notification says. */
  listen(
    request: BackendRequest,
    filter: ListenFilter,
    tell: (method: string, params: JsonObject) => void,
  ): Promise<BackendListening>
  /** A client with a session said something; cancellations take effect without this. */
  notified?(session: BackendSession, notification: Notification): void
  /** A session ended. */
  closed?(session: BackendSession): void
  /** A connection ended on which requests came without a session; `line` is theirs. */
  lineClosed?(line: object): void
}
