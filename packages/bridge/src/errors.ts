import { ErrorCode, isMcpError, isRpcError, type McpError, RpcError } from '@tenon/sdk/client'

/** What one side did wrong or refused, as the other side is to hear it: code, message and data stay as they are. */
export function passedOn(error: unknown): unknown {
  if (isRpcError(error)) return error.remote ? again(error) : error
  return isMcpError(error) ? own(error) : error
}

const again = (error: RpcError): RpcError => new RpcError(error.code, error.message, error.data, { cause: error })

/**
 * Errors whose message names how the server is reached: its command line with arguments, its address, what it wrote to standard
 * error. That is for whoever runs the bridge (`onEvent`, `onError`), and not for its clients.
 */
const withheld: ReadonlyMap<string, string> = new Map([
  ['closed', 'its connection has ended'],
  ['spawn', 'it could not be started'],
  ['http', 'its address answered with an error'],
  ['unauthorized', 'it does not let the bridge in'],
  ['session_expired', 'its session has ended'],
  ['negotiation', 'no common revision was found'],
])

/** What went wrong between the bridge and the server, said so that programs can tell it from an error of the server. */
function own(error: McpError): unknown {
  const { code, message, cause } = error
  if (code === 'invalid_argument' && isRpcError(cause)) return again(cause)
  const problem = `The server behind this bridge cannot be used: ${withheld.get(code) ?? message}`
  return new RpcError(ErrorCode.InternalError, problem, { reason: code }, { cause: error })
}

/** The refusal of a client that wants to hear of too much. */
export const tooManySubscriptions = (limit: number): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `Too many subscriptions (the limit is ${limit})`, { limit })

/** The refusal of a client that did not say that it can be asked this. */
export const cannotBeAsked = (method: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
