import type { Notification } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import type { BackedServer, NotificationSender } from '../server/backend.ts'
import type { AuthInfo, Caller } from '../server/caller.ts'
import { callerFrom, isSelfContained, readRequestMeta } from '../server/stateless/request-meta.ts'
import { canSay } from '../wire/passing.ts'

/** The sender of a notification without a session. */
export interface BackendSender {
  /** Without a description in the notification, a client that declares nothing. */
  readonly caller: Caller
  readonly auth: AuthInfo | undefined
  /** The connection, as `BackendRequest.line` of the requests on it. */
  readonly line: object | undefined
}

/** The sender of a notification; undefined if only other revisions have the notification. */
export function readSender(
  { method, params }: Notification,
  { connection, info, auth }: NotificationSender,
  server: BackedServer,
): BackendSender | undefined {
  const newest = server.statelessRevisions.at(-1)
  if (newest === undefined) return undefined
  const meta = isSelfContained(params)
    ? readRequestMeta(params)
    : { [metaKeys.protocolVersion]: newest, [metaKeys.clientCapabilities]: {} }
  const caller = callerFrom(server, meta, info, auth)
  return canSay(caller.codec, 'client', method) ? { caller, auth, line: connection } : undefined
}
