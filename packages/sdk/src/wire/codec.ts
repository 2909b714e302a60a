import type { Side } from '../jsonrpc/channel.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../model/revision.ts'
import type { TaskManners } from './tasks.ts'

/**
 * The wire format of one revision. Everything else in the library speaks the model and never checks the revision:
 * everything that depends on it is a member here.
 */
export interface Codec {
  readonly revision: Revision
  /** True if an array of messages is a message. */
  readonly batches: boolean
  /** True if an error response may lack an id, when the id of the request could not be read. */
  readonly errorsWithoutId: boolean
  /** True if wrong tool arguments are a tool result with `isError`, false if they are an error -32602. */
  readonly argumentErrorsAreResults: boolean
  /** True if clients declare support for `includeContext`; otherwise it may be sent to any client. */
  readonly declaresContext: boolean
  /** The rules for tasks; undefined if the revision has none. */
  readonly tasks: TaskManners | undefined
  /** The revision's code for an error code of the model, or of a handler. */
  readonly errorCode: (code: number) => number

  /** The requests and notifications that a side may send. Any other is "method not found". */
  readonly requests: Readonly<Record<Side, ReadonlySet<string>>>
  readonly notifications: Readonly<Record<Side, ReadonlySet<string>>>

  /**
   * Model to wire, for params of requests and notifications and for results. They never throw and never change their
   * argument: data without a place in the revision is omitted or rewritten, as `docs/revisions.md` lists.
   */
  encodeParams(method: string, params: JsonObject): JsonObject
  encodeResult(method: string, result: JsonObject): JsonObject

  /**
   * Wire to model. They check every member that the library reads, and throw an `RpcError` -32602 (params) or an
   * `McpError` `invalid_result` (results) that names the member, the expected and the actual value. The params of a
   * result are those of its request in the model: a rewritten request has a rewritten result.
   */
  decodeParams(method: string, params: JsonObject | undefined): JsonObject
  decodeResult(method: string, result: JsonObject, params?: JsonObject): JsonObject
}
