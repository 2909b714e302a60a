import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { JsonObject, Notification } from '../jsonrpc/message.ts'
import type { AuthInfo, ConnectionInfo } from './caller.ts'
import type { CallerState } from './caller-state.ts'
import type { SpokenRevisions } from './conversation.ts'
import type { MountingServer } from './definition/offers.ts'
import type { Call } from './dispatch/call.ts'
import type { Outlet } from './dispatch/outlet.ts'
import type { Encode } from './dispatch/pipeline.ts'
import type { StateServer } from './stateless/state-seal.ts'

/** The server that has a backend. */
export type BackedServer = StateServer & SpokenRevisions

/** The connection of a session. */
export interface SessionOutlet extends Outlet {
  /** Ends the session: over HTTP its id is not known any more. */
  close(): Promise<void>
}

/** The sender of a notification, as its transport knows it. */
export interface NotificationSender {
  /** Absent if the notification came alone, as over HTTP without a session. */
  readonly connection?: Outlet
  readonly info: ConnectionInfo
  readonly auth: AuthInfo | undefined
}

/** The ordinary way of a server to answer: with everything that is registered. */
export interface OwnAnswers {
  answer(call: Call): MaybePromise<JsonObject>
  readonly encode: Encode
}

/**
 * Answers in place of all that a server could have registered: for proxies, which offer other servers.
 * Made by `backend` of `@tenon/sdk/relay`; servers without one carry nothing of it but these types.
 */
export interface Backend {
  /** Answers any request but `initialize`. */
  answer(call: Call, server: BackedServer, own: OwnAnswers): MaybePromise<JsonObject>
  /** A handshake took place: the result of `initialize`, in the words of the model. */
  introduce(session: CallerState, connection: SessionOutlet): Promise<JsonObject>
  /** The client sent `notifications/initialized`, and may be asked. */
  ready(connection: Outlet): void
  /** A notification of a client, besides its own effect. */
  notified(notification: Notification, from: NotificationSender, server: BackedServer): void
  /** A connection is gone, whether a handshake took place on it or not. */
  closed(connection: Outlet, info: ConnectionInfo): void
  /** The backend of a server into which servers with backends like this one are mounted. */
  compose(server: MountingServer): Backend
}
