import { randomUUID } from 'node:crypto'
import { ErrorCode, isRpcError, RpcError } from '@tenon/sdk/server'

/**
 * The error of a call that needs an account of the person. It asks for a visit of a page, in the form that hosts with URL
 * elicitation understand; the message has the URL for all others. The page asks who the visitor is: the URL proves nothing.
 */
export function accountRequired(url: string, title: string): RpcError {
  const message = `Connect your ${title} account first: ${url}`
  const elicitations = [{ mode: 'url', elicitationId: randomUUID(), url, message: `Connect your ${title} account.` }]
  return new RpcError(ErrorCode.UrlElicitationRequired, message, { elicitations })
}

/** The URL that such an error leads to; undefined for other errors. */
export function accountUrlOf(error: unknown): string | undefined {
  if (!isRpcError(error) || error.code !== ErrorCode.UrlElicitationRequired) return undefined
  const { elicitations } = (error.data ?? {}) as { elicitations?: readonly { url?: unknown }[] }
  const url = elicitations?.[0]?.url
  return typeof url === 'string' ? url : undefined
}
