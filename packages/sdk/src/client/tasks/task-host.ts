import type { McpError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientConnection, SendOptions } from '../connecting/connection.ts'
import type { InputSources } from '../input/input-sources.ts'

/** What tasks need from the client around them. */
export interface TaskHost {
  /** Sends a request that the revision has, in a new session if the old one is gone. */
  call(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject>
  /** The connection in use, or the last one that was. */
  connection(): ClientConnection
  /** Why the client is closed for good, if it is. */
  ended(): McpError | undefined
  /** Resolves when it is. */
  closed(): Promise<McpError>
  readonly sources: InputSources
}
