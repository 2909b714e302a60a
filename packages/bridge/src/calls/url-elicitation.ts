import { ErrorCode, isRpcError, type JsonObject } from '@tenon/sdk/client'
import type { BackendRequest } from '@tenon/sdk/relay'
import { type InputRequest, type InputRequired, inputRequired } from '@tenon/sdk/server'

/**
 * A server with sessions may refuse a call with `UrlElicitationRequired` until the user has visited some pages. A stateless
 * client gets these pages as input requests, and then makes the call again.
 */
export function urlElicitations(error: unknown, { caller }: BackendRequest): InputRequired | undefined {
  if (!isRpcError(error) || error.code !== ErrorCode.UrlElicitationRequired) return undefined
  const { elicitations } = (error.data ?? {}) as { elicitations?: unknown }
  if (!Array.isArray(elicitations) || caller.capabilities.elicitation?.url === undefined) return undefined
  const pages = elicitations.filter(isPage)
  if (pages.length === 0) return undefined
  const requests = pages.map((params, index): [string, InputRequest] => [
    String(index + 1),
    { method: 'elicitation/create', params: { ...params, mode: 'url' } as never },
  ])
  return inputRequired({ requests: Object.fromEntries(requests), state: {} })
}

const isPage = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && typeof (value as JsonObject).url === 'string'
