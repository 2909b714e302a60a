import { ErrorCode, isRpcError, isToolError } from '../errors.ts'
import type { WireError } from '../jsonrpc/message.ts'
import { causedByClient } from './own-fault.ts'

/**
 * Decides what a peer may see of an exception: errors that were made to be sent, and nothing of anything else. An
 * error that another peer sent here was not made for this one.
 */
export function toWireError(thrown: unknown, report: (thrown: unknown) => string): WireError {
  if (isRpcError(thrown) && !thrown.remote) return thrown.toWire()
  if (isToolError(thrown)) return { code: ErrorCode.InternalError, message: thrown.message }
  if (causedByClient(thrown)) return { code: ErrorCode.InvalidRequest, message: thrown.message }
  return { code: ErrorCode.InternalError, message: 'Internal error', data: { id: report(thrown) } }
}
