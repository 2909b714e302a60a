import { ErrorCode, isMcpError, isRpcError, RpcError } from '@tenon/sdk/client'

/** The reasons of a bridge, and of a client, that say that the server cannot be used. */
const unusable: ReadonlySet<unknown> = new Set([
  'spawn',
  'closed',
  'http',
  'timeout',
  'negotiation',
  'session_expired',
  'unavailable',
])

/** The reason if an error means that an upstream cannot be used; undefined for errors of the server, and refusals. */
export function failureReason(error: unknown): string | undefined {
  if (isMcpError(error)) return unusable.has(error.code) ? error.code : undefined
  // Neither an answer nor a refusal: a module or a channel of the upstream failed.
  if (!isRpcError(error)) return isAbort(error) ? undefined : 'failed'
  const reason = (error.data as { reason?: unknown } | undefined)?.reason
  // Only the bridge knows its own reasons; those of a peer are data.
  return !error.remote && isMcpError(error.cause) && unusable.has(reason) ? (reason as string) : undefined
}

const isAbort = (error: unknown): boolean => (error as { name?: unknown } | undefined)?.name === 'AbortError'

/** The answer in place of an upstream that is resting. */
export const resting = (upstream: string, waitMs: number): RpcError =>
  new RpcError(ErrorCode.InternalError, `${upstream} is not available at the moment`, {
    reason: 'unavailable',
    retryAfterMs: Math.ceil(waitMs),
  })
