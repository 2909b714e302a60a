import { ErrorCode, RpcError } from '../../errors.ts'
import type { Hold } from '../../internal/budget.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller-state.ts'
import type { Offers } from '../definition/offers.ts'
import type { Call } from '../dispatch/call.ts'
import { canRead, unreadable } from '../features/read-resource.ts'
import { checkUriBytes, subscriptionBytes, subscriptionLimit } from './subscription-limits.ts'

/** Remembers that the caller wants to hear of a resource. */
export async function answerSubscribe(call: Call, definition: Offers, params: JsonObject): Promise<JsonObject> {
  const { caller } = call
  const uri = params.uri as string
  caller.subscriptions ??= { uris: new Set(), hold: definition.budget.charge('subscriptions', 0) }
  const { uris, hold } = caller.subscriptions
  const isNew = !uris.has(uri)
  const limit = subscriptionLimit(definition)
  if (uris.size >= limit && isNew) {
    throw new RpcError(ErrorCode.InvalidParams, `Too many subscriptions (the limit is ${limit})`, { limit })
  }
  if (isNew) keepBytes(hold, uri, definition)
  // Added before the wait: requests that come meanwhile find it, be they one too many or the end of this one.
  uris.add(uri)
  if (await canRead(caller, definition, uri)) return {}
  if (isNew) forget(caller, uri)
  throw await unreadable(caller, definition, uri)
}

function keepBytes(kept: Hold, uri: string, { budget }: Offers): void {
  const bytes = subscriptionBytes(uri)
  checkUriBytes(kept.bytes + bytes, 'resources/subscribe params.uri')
  if (!kept.grow(bytes)) throw budget.usedUp('subscriptions')
}

/** Forgets it again; a resource that is gone can still be unsubscribed from. */
export function answerUnsubscribe(call: Call, _definition: Offers, params: JsonObject): JsonObject {
  forget(call.caller, params.uri as string)
  return {}
}

function forget({ subscriptions }: CallerState, uri: string): void {
  if (subscriptions?.uris.delete(uri)) subscriptions.hold.set(subscriptions.hold.bytes - subscriptionBytes(uri))
}
