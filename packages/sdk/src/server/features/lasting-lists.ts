import type { JsonObject } from '../../jsonrpc/message.ts'

const lasting = new WeakSet<JsonObject>()

/**
 * Marks the list that middleware gives as one that it gives again and never changes. It is encoded and written once for each
 * revision, and not for each client.
 */
export function lastingList<List extends JsonObject>(list: List): List {
  lasting.add(list)
  return list
}

export const isLasting = (list: JsonObject): boolean => lasting.has(list)
