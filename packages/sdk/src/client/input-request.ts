import { ErrorCode, isRpcError, RpcError } from '../errors.ts'
import type { TokenBucket } from '../internal/token-bucket.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { Connection } from './connection.ts'
import type { ElicitationIds } from './elicitation-ids.ts'
import type { Settings } from './options.ts'
import type { RootList } from './roots.ts'
import type { InputContext } from './types.ts'

/** What answering a server's request may need. */
export interface InputSources {
  settings: Settings
  roots: RootList
  elicitations: ElicitationIds
  /** How many more questions the server may ask, if that is limited. */
  allowance?: TokenBucket
}

/** A server's request while it is being answered. */
export interface InputRequest {
  params: JsonObject
  context: InputContext
  connection: Connection
  /** What the server knows this client to support. */
  declared: ClientCapabilities
}

/** Asks whoever has the answer. What cannot be answered was refused before there was one of these. */
export type Ask<Answer extends object = object> = () => Promise<Answer>

/** An error that a callback made to be sent: not one that another server sent, or that another library names so. */
export const isOwnRpcError = (thrown: unknown): thrown is RpcError =>
  isRpcError(thrown) && !thrown.remote && Number.isInteger(thrown.code) && typeof thrown.toWire === 'function'

/** The refusal of a request that the revision does not have, or that this client did not declare to understand. */
export const notFound = (method: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
