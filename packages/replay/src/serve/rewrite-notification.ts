import type { JsonObject, Message } from '@tenon/sdk/client'
import { isObject } from '../json/is-object.ts'
import { isRequest, type NotificationMessage, progressTokenOf, subscriptionKey } from './turns.ts'

/** A recorded notification as it is about a request that is made now; undefined if that did not ask for it. */
export function rewriteNotification(
  said: NotificationMessage,
  recorded: NotificationMessage,
  now: NotificationMessage,
): Message | undefined {
  if (said.method === 'notifications/progress') {
    const token = progressTokenOf(now.params)
    if (token === undefined || token === null) return undefined
    return { ...said, params: { ...said.params, progressToken: token } } as Message
  }
  const meta = said.params?._meta
  if (!isObject(meta) || meta[subscriptionKey] === undefined || !isRequest(recorded) || !isRequest(now)) return said
  if (String(meta[subscriptionKey]) !== String(recorded.id)) return said
  return {
    ...said,
    params: { ...(said.params as JsonObject), _meta: { ...meta, [subscriptionKey]: now.id } },
  } as Message
}
