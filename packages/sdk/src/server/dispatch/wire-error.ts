import { ErrorCode, isMcpError, isRpcError, isToolError, type RpcError } from '../../errors.ts'
import type { WireError } from '../../jsonrpc/message.ts'
import { causedByClient } from './client-fault.ts'

/**
 * True for an error that was made to be sent to this peer: not one that another peer sent here, and not one of another
 * library that has the same name.
 */
export const isForPeer = (thrown: unknown): thrown is RpcError =>
  isRpcError(thrown) && !thrown.remote && Number.isInteger(thrown.code) && typeof thrown.toWire === 'function'

/**
 * The error that a peer may see of an exception: itself if it was made to be sent, otherwise only an id.
 */
export function toWireError(thrown: unknown, report: (thrown: unknown) => string): WireError {
  if (isForPeer(thrown)) return thrown.toWire()
  if (isToolError(thrown)) return { code: ErrorCode.InternalError, message: thrown.message }
  if (causedByClient(thrown)) return { code: ErrorCode.InvalidRequest, message: thrown.message }
  return { code: ErrorCode.InternalError, message: 'Internal error', data: { id: report(thrown), ...reasonOf(thrown) } }
}

/** True for the error of a request that needed a store that is away. */
export const isUnavailable = ({ data }: WireError): boolean =>
  (data as { reason?: unknown } | undefined)?.reason === 'unavailable'

/** A store that is away comes back, which a client may wait for. */
const reasonOf = (thrown: unknown): { reason: 'unavailable' } | undefined =>
  isMcpError(thrown) && thrown.code === 'unavailable' ? { reason: 'unavailable' } : undefined
