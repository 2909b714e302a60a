import { ErrorCode, RpcError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { isLoggingLevel } from '../../model/logging.ts'
import { type Implementation, metaKeys } from '../../model/meta.ts'
import { withElicitationMode } from '../../wire/readers/common.ts'
import type { AuthInfo, ConnectionInfo } from '../caller.ts'
import { CallerState } from '../caller-state.ts'
import type { SpokenRevisions } from '../conversation.ts'
import { serverStatelessConversation } from './stateless-conversation.ts'

/** True if a request names its version in `_meta`, as all requests do where there is no handshake. */
export function isSelfContained(params: JsonObject | undefined): boolean {
  const meta = params?._meta
  return isObject(meta) && Object.hasOwn(meta, metaKeys.protocolVersion)
}

/** The `_meta` of a stateless request, checked: it names a version and has capabilities. */
export type RequestMeta = Readonly<JsonObject> & {
  readonly [metaKeys.protocolVersion]: string
  readonly [metaKeys.clientCapabilities]: JsonObject
}

/** Checks the `_meta` of a stateless request. Without that, nothing else about the request can be judged. */
export function readRequestMeta(params: JsonObject | undefined): RequestMeta {
  const meta = params?._meta
  if (!isObject(meta)) throw wrongMember('params._meta', 'an object', meta)
  const version = meta[metaKeys.protocolVersion]
  if (typeof version !== 'string') throw wrongMeta(metaKeys.protocolVersion, 'a string', version)
  const capabilities = meta[metaKeys.clientCapabilities]
  if (!isObject(capabilities)) throw wrongMeta(metaKeys.clientCapabilities, 'an object', capabilities)
  return meta as RequestMeta
}

/** The caller that a stateless request describes. Nothing of an earlier request is used. */
export const callerOf = (
  server: SpokenRevisions,
  params: JsonObject,
  connection: ConnectionInfo,
  auth: AuthInfo | undefined = connection.auth,
): CallerState => callerFrom(server, readRequestMeta(params), connection, auth)

/** The caller that the `_meta` of a request describes. */
export function callerFrom(
  server: SpokenRevisions,
  meta: RequestMeta,
  connection: ConnectionInfo,
  auth: AuthInfo | undefined = connection.auth,
): CallerState {
  const version = meta[metaKeys.protocolVersion]
  const codec = server.codec(version)
  if (codec === undefined || server.sessionRevisions.includes(codec.revision)) throw unsupportedVersion(server, version)
  const level = meta[metaKeys.logLevel]
  if (level !== undefined && !isLoggingLevel(level)) throw wrongMeta(metaKeys.logLevel, 'a logging level', level)
  const info = meta[metaKeys.clientInfo]
  return new CallerState(
    codec,
    serverStatelessConversation,
    {
      // Identity is optional here, and never a reason to refuse.
      client: isObject(info) ? (info as unknown as Implementation) : undefined,
      capabilities: withElicitationMode(meta[metaKeys.clientCapabilities]),
      logLevel: server.logs ? level : undefined,
    },
    connection,
    auth,
  )
}

/** The error that tells a client which versions it may try instead. */
export const unsupportedVersion = (server: SpokenRevisions, requested: unknown): RpcError =>
  new RpcError(ErrorCode.UnsupportedProtocolVersion, unsupportedMessage(server, requested), {
    supported: server.revisions.toReversed(),
    requested,
  })

/** The refusal of a handshake by a server without any; it always names the versions that may be tried instead. */
export function handshakeRefused(server: SpokenRevisions, offered: unknown): RpcError {
  if (typeof offered === 'string') return unsupportedVersion(server, offered)
  const problem = `initialize params.protocolVersion: expected a string, got ${describe(offered)}`
  return new RpcError(ErrorCode.InvalidParams, problem, { supported: server.revisions.toReversed() })
}

function unsupportedMessage({ sessionRevisions }: SpokenRevisions, requested: unknown): string {
  const opens = sessionRevisions.some((revision) => revision === requested)
  return `Unsupported protocol version${opens ? `: ${requested} opens with initialize` : ''}`
}

const wrongMeta = (key: string, expected: string, found: unknown): RpcError =>
  wrongMember(`params._meta["${key}"]`, expected, found)

const wrongMember = (name: string, expected: string, found: unknown): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `${name}: expected ${expected}, got ${describe(found)}`)
