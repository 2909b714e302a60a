import type { Allowance } from '../../allowance.ts'
import { ErrorCode, isRpcError, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import type { ClientSettings } from '../options.ts'
import type { InputContext } from '../types.ts'
import type { ElicitationIds } from './elicitation-ids.ts'
import type { RootList } from './roots.ts'

/** What answering a server's request may need. */
export interface InputSources {
  settings: ClientSettings
  roots: RootList
  elicitations: ElicitationIds
  /** How many more questions the server may ask, if that is limited. */
  allowance?: Allowance
}

/** A server's request while it is being answered. */
export interface ReceivedInputRequest {
  params: JsonObject
  context: InputContext
  connection: ClientConnection
  /** What the server knows this client to support. */
  declared: ClientCapabilities
}

/** Asks whoever has the answer. What cannot be answered was refused before there was one of these. */
export type AnswerProvider<Answer extends object = object> = () => Promise<Answer>

/** An error that a callback made to be sent: not one that another server sent, or that another library names so. */
export const isOwnRpcError = (thrown: unknown): thrown is RpcError =>
  isRpcError(thrown) && !thrown.remote && Number.isInteger(thrown.code) && typeof thrown.toWire === 'function'

/** The refusal of a request that the revision does not have, or that this client did not declare to understand. */
export const notFound = (method: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
