import type { RequestSender } from '../calls/request-sender.ts'
import type { ReconnectingConnection } from '../connecting/reconnecting-connection.ts'
import type { InputSources } from '../input/input-sources.ts'

/** The parts of a client that tool calls and tasks use. */
export interface TaskHost {
  readonly requests: RequestSender
  readonly connection: ReconnectingConnection
  readonly sources: InputSources
}
