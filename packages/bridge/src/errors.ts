import { ErrorCode, isMcpError, isRpcError, type McpError, RpcError } from '@tenon/sdk/client'

/** An error of one side for the other side: code, message and data stay as they are. */
export function forwardedError(error: unknown): unknown {
  if (isRpcError(error)) return error.remote ? copyOf(error) : error
  return isMcpError(error) ? bridgeError(error) : error
}

const copyOf = (error: RpcError): RpcError => new RpcError(error.code, error.message, error.data, { cause: error })

/**
 * Errors whose message may contain the server's command line, its address or its standard error: these are for the operator of
 * the bridge (`onEvent`, `onError`), not for its clients.
 */
const withheld: ReadonlyMap<string, string> = new Map([
  ['closed', 'its connection has ended'],
  ['spawn', 'it could not be started'],
  ['http', 'its address answered with an error'],
  ['unauthorized', 'it does not let the bridge in'],
  ['session_expired', 'its session has ended'],
  ['negotiation', 'no common revision was found'],
])

/** A failure between the bridge and the server, with a reason that tells it from errors of the server. */
function bridgeError(error: McpError): unknown {
  const { code, message, cause } = error
  if (code === 'invalid_argument' && isRpcError(cause)) return copyOf(cause)
  const problem = `The server behind this bridge cannot be used: ${withheld.get(code) ?? message}`
  return new RpcError(ErrorCode.InternalError, problem, { reason: code }, { cause: error })
}

export const tooManySubscriptions = (limit: number): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `Too many subscriptions (the limit is ${limit})`, { limit })

/** The answer to a request of the server that the client did not declare. */
export const cannotBeAsked = (method: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
