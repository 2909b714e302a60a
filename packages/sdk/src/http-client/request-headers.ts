import { encodeHeaderValue } from '../http/header-values.ts'
import { mcpName } from '../http/names.ts'
import { headersFor, type ParamHeader, paramHeaders } from '../http/param-headers.ts'
import { isObject } from '../jsonrpc/classify.ts'
import type { Message, Payload, Request } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import { namesVersion } from '../wire/over-http.ts'
import type { HeaderRecord } from './http-options.ts'

/** The version of a request of a revision without handshake; undefined for all others. */
export function namedVersion(payload: Payload): string | undefined {
  if (Array.isArray(payload) || !('method' in payload)) return undefined
  const meta = payload.params?._meta
  const version = isObject(meta) ? meta[metaKeys.protocolVersion] : undefined
  return typeof version === 'string' ? version : undefined
}

export const isRequestPayload = (payload: Payload): payload is Request => 'method' in payload && 'id' in payload

// Headers are added by name to an object of their own: every call gets some, and V8 is slow to join objects.

/** The headers of every POST; more are added. */
export const postHeaders = (): HeaderRecord => ({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
})

/** Adds the headers that repeat parts of the body, from 2026-07-28 on. */
export function addMirrored(
  headers: HeaderRecord,
  version: string,
  message: Message,
  params: readonly ParamHeader[],
): HeaderRecord {
  headers['MCP-Protocol-Version'] = version
  if (!('method' in message)) return headers
  headers['Mcp-Method'] = encodeHeaderValue(message.method)
  const name = mcpName(message.method, message.params)
  if (name !== undefined) headers['Mcp-Name'] = encodeHeaderValue(name)
  if (params.length === 0) return headers
  return Object.assign(headers, Object.fromEntries(headersFor(params, message.params?.arguments)))
}

/** The headers of a session, up to 2025-11-25. */
export function sessionHeaders(revision: string | undefined, session: string | undefined): HeaderRecord {
  return {
    ...(revision !== undefined && namesVersion(revision) ? { 'MCP-Protocol-Version': revision } : {}),
    ...(session === undefined ? {} : { 'Mcp-Session-Id': session }),
  }
}

/** The headers of the user, overridden by those of the protocol in any case of letters. */
export function joinHeaders(user: HeaderRecord, own: HeaderRecord): HeaderRecord {
  const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const kept = Object.entries(user).filter(([name]) => !taken.has(name.toLowerCase()))
  return kept.length === 0 ? own : { ...Object.fromEntries(kept), ...own }
}

/** The connection that a request belongs to, and its tool. */
export interface RequestHeadersOptions {
  /** The revision that `initialize` agreed on. A stateless request names its own. */
  revision?: string
  /** The `Mcp-Session-Id` of the connection. */
  session?: string
  /** The input schema of the tool that is called. Its `x-mcp-header` annotations become `Mcp-Param-*` headers. */
  inputSchema?: unknown
}

/**
 * The headers that a client sends with a message over HTTP, without those that authorize it.
 *
 * @example
 * const reply = await fetch(url, { method: 'POST', headers: requestHeaders(message), body: JSON.stringify(message) })
 */
export function requestHeaders(message: Message, options: RequestHeadersOptions = {}): HeaderRecord {
  const method = 'method' in message ? message.method : undefined
  if (method === 'initialize') return postHeaders()
  const version = namedVersion(message)
  if (version === undefined) return Object.assign(postHeaders(), sessionHeaders(options.revision, options.session))
  const params = method === 'tools/call' ? paramHeaders(options.inputSchema).params : []
  return addMirrored(postHeaders(), version, message, params)
}
