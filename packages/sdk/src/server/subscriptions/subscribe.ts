import { ErrorCode, RpcError } from '../../errors.ts'
import type { Hold } from '../../internal/budget.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Offers } from '../definition/offers.ts'
import type { Call } from '../dispatch/call.ts'
import { beginWatch, unreadable } from '../features/read-resource.ts'
import type { EndWatch } from '../features/resource.ts'
import { endWatches } from './end-watches.ts'
import { forgetSubscription, subscriptionsOf } from './kept-subscriptions.ts'
import { checkUriBytes, subscriptionBytes, subscriptionLimit } from './subscription-limits.ts'

/** Remembers that the caller wants to hear of a resource. */
export async function answerSubscribe(call: Call, definition: Offers, params: JsonObject): Promise<JsonObject> {
  const { caller } = call
  const uri = params.uri as string
  const { uris, watches, hold } = subscriptionsOf(caller, definition)
  const isNew = !uris.has(uri)
  const limit = subscriptionLimit(definition)
  if (uris.size >= limit && isNew) {
    throw new RpcError(ErrorCode.InvalidParams, `Too many subscriptions (the limit is ${limit})`, { limit })
  }
  if (isNew) keepBytes(hold, uri, definition)
  // Added before the wait: requests that come meanwhile find it, be they one too many or the end of this one.
  uris.add(uri)
  const end = await watchOrForget(call, definition, uri, isNew)
  if (end === undefined) return subscribeElsewhere(call, definition, params)
  // Another request for the same may have been faster, or one that ends it.
  if (uris.has(uri) && !watches.has(uri)) watches.set(uri, end)
  else endWatches([end], (error) => definition.report(error, 'watch'))
  if (isNew) await call.outlet.keep?.({ subscribe: uri })
  return {}
}

async function watchOrForget(
  call: Call,
  definition: Offers,
  uri: string,
  isNew: boolean,
): Promise<EndWatch | undefined> {
  let end: EndWatch | undefined
  try {
    end = await beginWatch(call.caller, definition, uri)
    return end
  } finally {
    if (end === undefined && isNew) forgetSubscription(call.caller, definition, uri)
  }
}

/** Subscribes at a mounted server with a backend, if there is one for the URI. */
async function subscribeElsewhere(call: Call, definition: Offers, params: JsonObject): Promise<JsonObject> {
  const problem = await unreadable(call.caller, definition, params.uri as string)
  const passed = await call.parts?.pass(call, params)
  if (passed === undefined) throw problem
  return passed
}

function keepBytes(kept: Hold, uri: string, { budget }: Offers): void {
  const bytes = subscriptionBytes(uri)
  checkUriBytes(kept.bytes + bytes, 'resources/subscribe params.uri')
  if (!kept.grow(bytes)) throw budget.usedUp('subscriptions')
}

/** Forgets it again; a resource that is gone can still be unsubscribed from. */
export function answerUnsubscribe(call: Call, definition: Offers, params: JsonObject): MaybePromise<JsonObject> {
  const uri = params.uri as string
  forgetSubscription(call.caller, definition, uri)
  const keeping = call.outlet.keep?.({ unsubscribe: uri })
  if (keeping instanceof Promise) return keeping.then(() => unsubscribeElsewhere(call, params))
  return unsubscribeElsewhere(call, params)
}

const unsubscribeElsewhere = (call: Call, params: JsonObject): MaybePromise<JsonObject> =>
  call.parts === undefined ? {} : call.parts.pass(call, params).then((result) => result ?? {})
