import type { JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../model/revision.ts'
import type { Side } from '../model/side.ts'
import type { TaskManners } from './tasks.ts'

/**
 * How one revision differs on the wire. Everything else in the library speaks the model and never asks for a revision:
 * what depends on it is a member here.
 */
export interface Codec {
  readonly revision: Revision
  /** True if the revision opens with `initialize`; false if every request carries its own `_meta`. */
  readonly handshake: boolean
  /** True if an array of messages is a message. */
  readonly batches: boolean
  /** True if an error response may lack an id, when the id of the request could not be read. */
  readonly errorsWithoutId: boolean
  /** True if wrong tool arguments are a tool result with `isError`, false if they are an error -32602. */
  readonly argumentErrorsAreResults: boolean
  /** True if clients declare that they know `includeContext`; of others it may be asked as of any. */
  readonly declaresContext: boolean
  /** What is expected where tasks are concerned; undefined if the revision has none. */
  readonly tasks: TaskManners | undefined
  /** The code that the revision has for an error code of the model, or of a handler. */
  readonly errorCode: (code: number) => number

  /** The requests and notifications that a side may send. What is absent is "method not found". */
  readonly requests: Readonly<Record<Side, ReadonlySet<string>>>
  readonly notifications: Readonly<Record<Side, ReadonlySet<string>>>

  /**
   * Model to wire, for params of requests and notifications and for results. They never throw and never change their
   * argument: what the revision cannot say is left out or said differently, as `docs/revisions.md` lists.
   */
  encodeParams(method: string, params: JsonObject): JsonObject
  encodeResult(method: string, result: JsonObject): JsonObject

  /**
   * Wire to model. They look at every member that the library reads, and throw an `RpcError` -32602 (params) or an
   * `McpError` `invalid_result` (results) that names the member, what was expected and what was found. The params of
   * a result are those of its request in the model's words: what was asked differently is answered differently.
   */
  decodeParams(method: string, params: JsonObject | undefined): JsonObject
  decodeResult(method: string, result: JsonObject, params?: JsonObject): JsonObject
}
