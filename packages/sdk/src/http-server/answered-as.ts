import type { AuthInfo } from '../transport/auth-info.ts'
import type { Sink } from '../transport/channel.ts'

/** A sink for the answer to a message that came with a token: the same one if it says so itself. */
export function answeredAs(auth: AuthInfo | undefined, sink: Sink): Sink {
  return auth === undefined || sink.auth === auth ? sink : { auth, send: (payload) => sink.send(payload) }
}
