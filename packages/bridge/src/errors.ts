import { ErrorCode, isMcpError, isRpcError, type McpError, RpcError } from '@tenon/sdk/client'

/** What one side did wrong or refused, as the other side is to hear it: code, message and data stay as they are. */
export function passedOn(error: unknown): unknown {
  if (isRpcError(error)) return error.remote ? again(error) : error
  return isMcpError(error) ? own(error) : error
}

const again = (error: RpcError): RpcError => new RpcError(error.code, error.message, error.data, { cause: error })

/** What went wrong between the bridge and the server, said so that programs can tell it from an error of the server. */
function own(error: McpError): unknown {
  const { code, message, cause } = error
  if (code === 'invalid_argument' && isRpcError(cause)) return again(cause)
  const problem = `The server behind this bridge cannot be used: ${message}`
  return new RpcError(ErrorCode.InternalError, problem, { reason: code }, { cause: error })
}

/** The refusal of a client that wants to hear of too much. */
export const tooManySubscriptions = (limit: number): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `Too many subscriptions (the limit is ${limit})`, { limit })

/** The refusal of a client that did not say that it can be asked this. */
export const cannotBeAsked = (method: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
