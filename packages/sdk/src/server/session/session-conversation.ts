import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import { withoutHop } from '../../wire/passing.ts'
import type { ServerConversation } from '../conversation.ts'
import { blameClient } from '../dispatch/client-fault.ts'

/** The client sent `initialize`: both sides know each other, and the server may ask at any time. */
export const serverSessionConversation: ServerConversation = {
  asksAtOnce: true,
  perform: (call, server, params, handler) => handler(call, server, params),
  identify: (result) => result,
  passOn: (result) => withoutHop(result),
  requestedLogLevel: () => undefined,
  refuseQuestion: (missing) =>
    blameClient(new McpError('unsupported', `The client did not declare the capability ${missing}`)),
  undeclaredExtension: (problem) => new RpcError(ErrorCode.MethodNotFound, `Method not found: ${problem}`),
}
