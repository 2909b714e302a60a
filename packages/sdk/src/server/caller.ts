import type { AuthInfo } from '../jsonrpc/auth-info.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { Implementation } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'

export type { AuthInfo } from '../jsonrpc/auth-info.ts'

/**
 * A connection as its transport knows it before the first message. There is one object per connection, so it can be
 * the key of a `WeakMap` for state of the connection.
 */
export interface ConnectionInfo {
  /** `stdio`, `memory`, … */
  readonly transport: string
  /**
   * Who is authenticated for as long as the connection lasts. Absent in sessions over HTTP, where every request brings
   * its own token: `caller.auth` is that of the request in every transport.
   */
  readonly auth?: AuthInfo
}

/** The client behind a request, as handlers, visibility rules and the `context` function see it. */
export interface Caller {
  /** Self-reported: fit for logs, not for decisions. */
  readonly client: Implementation | undefined
  readonly capabilities: ClientCapabilities
  readonly revision: Revision
  readonly connection: ConnectionInfo
  /** Who is authenticated by the token of this request. It does not change while the request is answered. */
  readonly auth: AuthInfo | undefined
}
