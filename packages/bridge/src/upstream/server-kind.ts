import type { ChangeKind, ClientCapabilities, JsonObject, ServerCapabilities } from '@tenon/sdk/client'
import type { BackendRequest, RawClient, RawSender } from '@tenon/sdk/relay'
import type { InputRequired } from '@tenon/sdk/server'
import type { SuspendedCalls } from '../calls/suspended-calls.ts'
import type { AdaptedTask, AdaptedTasks } from '../tasks/adapted-tasks.ts'
import type { UpstreamConnection } from './connection.ts'
import { sessionServer } from './session-server.ts'
import { statelessServer } from './stateless-server.ts'

/** A request of a stateless client, on its way to the server. */
export interface StatelessRequest {
  readonly request: BackendRequest
  readonly connection: UpstreamConnection
  readonly sender: RawSender
  /** The sender, as far as requests can be told apart. */
  readonly owner: string
  /** The calls and tasks of stateless clients that stay open between their requests. */
  readonly suspended: SuspendedCalls
  readonly tasks: AdaptedTasks
  /** Gives the connection back. */
  release(): void
}

export type Notify = (method: string, params: JsonObject) => void

/** The differences between a server with sessions and a stateless one. */
export interface ServerKind {
  /** True if a connection describes its client once, so that clients with other descriptions need another one. */
  readonly describesClientOnce: boolean
  /** True if the server may send requests of its own while it handles a request. */
  sendsRequests(method: string, capabilities: ClientCapabilities): boolean
  /** The server's capabilities for clients with a session. */
  capabilitiesForSessions(capabilities: ServerCapabilities): ServerCapabilities
  /** The capabilities of a stateless client for the server. */
  capabilitiesOfStateless(capabilities: ClientCapabilities): ClientCapabilities
  /** The lists whose changes are announced to clients with a session. */
  changingLists(capabilities: ServerCapabilities, kinds: readonly ChangeKind[]): ChangeKind[]
  callForSession(connection: UpstreamConnection, request: BackendRequest, sender: RawSender): Promise<JsonObject>
  callForStateless(call: StatelessRequest): Promise<JsonObject | InputRequired>
  /** Notifies a stateless client of changes of a task, until the returned function is called. */
  watchTask(
    connection: UpstreamConnection,
    taskId: string,
    adapted: AdaptedTask | undefined,
    notify: Notify,
  ): Promise<() => void>
}

/** The kind of a connected server: the only place that asks for it. */
export const serverKind = (client: RawClient): ServerKind => (client.asksLive ? sessionServer : statelessServer)
