import { ErrorCode, RpcError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import { isLoggingLevel } from '../../model/logging.ts'
import { type Implementation, metaKeys } from '../../model/meta.ts'
import { type AuthInfo, CallerState, type ConnectionInfo } from '../caller.ts'
import type { Definition } from '../definition/definition.ts'

/** True if a request says for itself which version it speaks, as all requests do where there is no handshake. */
export function isSelfContained(params: JsonObject | undefined): boolean {
  const meta = params?._meta
  return isObject(meta) && Object.hasOwn(meta, metaKeys.protocolVersion)
}

/** The caller that a self-contained request describes. Nothing of an earlier request is used. */
export function callerOf(
  definition: Definition,
  params: JsonObject,
  connection: ConnectionInfo,
  auth: AuthInfo | undefined = connection.auth,
): CallerState {
  const meta = params._meta as JsonObject
  const version = meta[metaKeys.protocolVersion]
  if (typeof version !== 'string') throw wrongMeta(metaKeys.protocolVersion, 'a string', version)
  const capabilities = meta[metaKeys.clientCapabilities]
  if (!isObject(capabilities)) throw wrongMeta(metaKeys.clientCapabilities, 'an object', capabilities)
  const codec = definition.codec(version)
  if (codec === undefined || codec.handshake) throw unsupportedVersion(definition, version)
  const level = meta[metaKeys.logLevel]
  if (level !== undefined && !isLoggingLevel(level)) throw wrongMeta(metaKeys.logLevel, 'a logging level', level)
  const info = meta[metaKeys.clientInfo]
  return new CallerState(
    codec,
    {
      // Identity is optional here, and never a reason to refuse.
      client: isObject(info) ? (info as unknown as Implementation) : undefined,
      capabilities: declaredCapabilities(capabilities),
      logLevel: definition.logs ? level : undefined,
    },
    connection,
    auth,
  )
}

/** `elicitation: {}` declares forms: the modes came later. */
export function declaredCapabilities(capabilities: JsonObject): ClientCapabilities {
  const { elicitation } = capabilities
  if (!isObject(elicitation) || elicitation.form || elicitation.url) return capabilities
  return { ...capabilities, elicitation: { ...elicitation, form: {} } }
}

/** The error that tells a client which versions it may try instead. */
export const unsupportedVersion = (definition: Definition, requested: unknown): RpcError =>
  new RpcError(ErrorCode.UnsupportedProtocolVersion, unsupportedMessage(definition, requested), {
    supported: definition.revisions.toReversed(),
    requested,
  })

/** Why a server without handshakes refuses one; whatever is wrong, it names the versions that may be tried instead. */
export function handshakeRefused(definition: Definition, offered: unknown): RpcError {
  if (typeof offered === 'string') return unsupportedVersion(definition, offered)
  const problem = `initialize params.protocolVersion: expected a string, got ${describe(offered)}`
  return new RpcError(ErrorCode.InvalidParams, problem, { supported: definition.revisions.toReversed() })
}

/** The error for a request that says nothing about its caller, when nobody else has either. */
export function unopened({ handshakeRevisions, speaksAlone }: Definition, method: string): RpcError {
  const ways = [
    ...(handshakeRevisions.length > 0 ? ['before initialize'] : []),
    ...(speaksAlone ? [`without params._meta["${metaKeys.protocolVersion}"]`] : []),
  ]
  return new RpcError(ErrorCode.InvalidParams, `${method} came ${ways.join(', and ')}`)
}

function unsupportedMessage({ handshakeRevisions }: Definition, requested: unknown): string {
  const opens = handshakeRevisions.some((revision) => revision === requested)
  return `Unsupported protocol version${opens ? `: ${requested} opens with initialize` : ''}`
}

const wrongMeta = (key: string, expected: string, found: unknown): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `params._meta["${key}"]: expected ${expected}, got ${describe(found)}`)
