import type { TokenBucket } from '../../internal/token-bucket.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import type { ClientSettings } from '../options.ts'
import type { InputContext } from '../types.ts'
import type { ElicitationIds } from './elicitation-ids.ts'
import type { RootList } from './roots.ts'

/** The parts of a client that answer input requests. */
export interface InputSources {
  settings: ClientSettings
  roots: RootList
  elicitations: ElicitationIds
  /** Limits the input requests a minute. */
  allowance?: TokenBucket
}

/** An input request that is being answered. */
export interface ReceivedInputRequest {
  params: JsonObject
  context: InputContext
  connection: ClientConnection
  /** The client capabilities that the server knows. */
  declared: ClientCapabilities
}

/** Calls the user's callback. Made only for requests that can be answered. */
export type AnswerProvider<Answer extends object = object> = () => Promise<Answer>
