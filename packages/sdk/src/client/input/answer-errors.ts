import { ErrorCode, isRpcError, RpcError } from '../../errors.ts'

/** An error that a callback made for the server: not one of another server, or of another library. */
export const isOwnRpcError = (thrown: unknown): thrown is RpcError =>
  isRpcError(thrown) && !thrown.remote && Number.isInteger(thrown.code) && typeof thrown.toWire === 'function'

/** The error for a request that the revision lacks, or that this client did not declare. */
export const notFound = (method: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
