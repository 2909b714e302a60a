import { ErrorCode, RpcError } from '../errors.ts'
import { classify, isObject } from '../jsonrpc/classify.ts'
import type { JsonObject, Notification, Request } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import type { Definition } from '../server/definition/definition.ts'
import { handshakeRefused, isSelfContained, unsupportedVersion } from '../server/stateless/request-meta.ts'
import { standsAlone } from '../wire/over-http.ts'
import { about, type HttpRefusal } from './refusal.ts'
import type { HttpRequest } from './request.ts'

/** Whether the header alone says that a request needs no session. */
export function namesModern(request: HttpRequest): boolean {
  const version = request.header('mcp-protocol-version')
  return version !== undefined && standsAlone(version)
}

/** A message belongs to the stateless era if it, or its header, says so. */
export function isModern({ speaksAlone }: Definition, value: unknown, request: HttpRequest): boolean {
  if (!speaksAlone || !isObject(value)) return false
  return isSelfContained((value as unknown as Notification).params) || namesModern(request)
}

/** What a server that has only stateless revisions says to everybody else. */
export function refuseHandshakes(
  definition: Definition,
  value: unknown,
  request: HttpRequest,
): HttpRefusal | undefined {
  if (definition.handshakeRevisions.length > 0) return undefined
  const id = classify(value) === 'request' ? (value as Request).id : undefined
  return about(id, { status: 400, error: handshakeError(definition, value, request).toWire() })
}

function handshakeError(definition: Definition, value: unknown, request: HttpRequest): RpcError {
  const { method, params } = (isObject(value) ? value : {}) as { method?: unknown; params?: JsonObject }
  if (method === 'initialize') return handshakeRefused(definition, params?.protocolVersion)
  const version = request.header('mcp-protocol-version')
  if (version !== undefined) return unsupportedVersion(definition, version)
  const problem = `Header mismatch: MCP-Protocol-Version is missing, and params._meta["${metaKeys.protocolVersion}"] too`
  return new RpcError(ErrorCode.HeaderMismatch, problem)
}
