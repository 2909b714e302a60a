import type { AuthInfo } from '../../jsonrpc/auth-info.ts'
import type { MessageSink } from '../../jsonrpc/channel.ts'

/** A sink for the answer to a message that came with a token: the same one if it says so itself. */
export function sinkWithAuth(auth: AuthInfo | undefined, sink: MessageSink): MessageSink {
  if (auth === undefined || sink.auth === auth) return sink
  return { auth, send: (payload) => sink.send(payload), unanswered: (reason) => sink.unanswered(reason) }
}
