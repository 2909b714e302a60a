import { McpError } from '../../errors.ts'
import { withoutHop } from '../../wire/passing.ts'
import type { ServerConversation } from '../conversation.ts'
import { blameClient } from '../dispatch/client-fault.ts'

const whyNot = 'this server gives no sessions, so the answer would come in another POST, perhaps to another process'

/**
 * The client speaks a revision with sessions to a server that gives none. Its capabilities were in `initialize`, and no
 * other request has them, so the client can do whatever it does, and is asked nothing.
 */
export const serverSessionlessConversation: ServerConversation = {
  asksAtOnce: false,
  perform: (call, server, params, handler) => handler(call, server, params),
  identify: (result) => result,
  passOn: (result) => withoutHop(result),
  requestedLogLevel: () => undefined,
  refuseQuestion: (missing) =>
    blameClient(new McpError('unsupported', `The client cannot be asked (${missing}): ${whyNot}`)),
  // A client that calls a method of an extension knows the extension.
  undeclaredExtension: () => undefined,
}
