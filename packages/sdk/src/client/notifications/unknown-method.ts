import { ErrorCode, isRpcError, McpError } from '../../errors.ts'

/** The error of a subscription: `unsupported`, with the name of the method, if the server does not know it. */
export function unknownMethod(error: unknown, method: string, watched: string): unknown {
  if (!isRpcError(error) || error.code !== ErrorCode.MethodNotFound) return error
  const needs = `${method}, which watching ${watched} needs`
  return new McpError('unsupported', `The server does not know ${needs}: ${error.message}`, { cause: error })
}
