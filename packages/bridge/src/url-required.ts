import { ErrorCode, isRpcError, type JsonObject } from '@tenon/sdk/client'
import type { BackendRequest } from '@tenon/sdk/relay'
import { type InputRequest, type InputRequired, inputRequired } from '@tenon/sdk/server'

/**
 * Servers of 2025-11-25 may refuse a call until the user has been to some pages, by an error that later revisions do not
 * have. A client without a session is asked to open them instead, and then makes the call again, as the error says.
 */
export function pagesFirst(error: unknown, { caller }: BackendRequest): InputRequired | undefined {
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
