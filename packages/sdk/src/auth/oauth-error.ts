import { isMcpError, McpError } from '../errors.ts'
import type { Trace, TraceEntry } from './trace.ts'

/**
 * The step at which authorization failed.
 *
 * - `discovery`: no authorization server was found, or its metadata cannot be used
 * - `registration`: there is no client id for it
 * - `authorization`: the user said no, or the response cannot be trusted
 * - `token`: the token endpoint refused
 * - `scope`: the token lacks a scope that asking again did not bring
 */
export type OAuthFailure = 'discovery' | 'registration' | 'authorization' | 'token' | 'scope'

/** Authorization failed. An `McpError` with the code `unauthorized`; `trace` lists the requests on the way. */
export class OAuthError extends McpError {
  readonly failure: OAuthFailure
  /** The error code of OAuth, such as `invalid_grant`, if there was one. */
  readonly error: string | undefined
  readonly trace: readonly TraceEntry[]

  constructor(failure: OAuthFailure, message: string, trace?: Trace, options?: ErrorOptions & { error?: string }) {
    const tried = trace === undefined || trace.entries.length === 0 ? '' : `\nWhat was asked:\n${trace}`
    super('unauthorized', message + tried, options)
    this.failure = failure
    this.error = options?.error
    this.trace = trace?.entries ?? []
  }
}

/** The error with the trace of requests; the failure below becomes its cause. */
export function withTrace(thrown: unknown, trace: Trace): unknown {
  if (isMcpError(thrown) && thrown.code === 'cancelled') return thrown
  if (isOAuthError(thrown)) {
    const { failure, message, error, cause } = thrown
    if (thrown.trace.length > 0) return thrown
    return new OAuthError(failure, message, trace, { cause, ...(error !== undefined && { error }) })
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new OAuthError('authorization', message, trace, { cause: thrown })
}

export const isOAuthError = (value: unknown): value is OAuthError =>
  isMcpError(value) && value.code === 'unauthorized' && typeof (value as Partial<OAuthError>).failure === 'string'
