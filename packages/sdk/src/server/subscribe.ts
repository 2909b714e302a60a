import { ErrorCode, RpcError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Call } from './call.ts'
import type { Definition } from './definition.ts'
import { canRead, unreadable } from './read-resource.ts'
import { subscriptionLimit } from './subscriptions/topics.ts'

/** Remembers that the caller wants to hear of a resource. */
export async function subscribe(call: Call, definition: Definition, params: JsonObject): Promise<JsonObject> {
  const uri = params.uri as string
  call.caller.subscriptions ??= new Set()
  const { subscriptions } = call.caller
  const isNew = !subscriptions.has(uri)
  const limit = subscriptionLimit(definition)
  if (subscriptions.size >= limit && isNew) {
    throw new RpcError(ErrorCode.InvalidParams, `Too many subscriptions (the limit is ${limit})`, { limit })
  }
  // Added before the wait: requests that come meanwhile find it, be they one too many or the end of this one.
  subscriptions.add(uri)
  if (await canRead(call.caller, definition, uri)) return {}
  if (isNew) subscriptions.delete(uri)
  throw await unreadable(call.caller, definition, uri)
}

/** Forgets it again; a resource that is gone can still be unsubscribed from. */
export function unsubscribe(call: Call, _definition: Definition, params: JsonObject): JsonObject {
  call.caller.subscriptions?.delete(params.uri as string)
  return {}
}
