import type { Payload } from '../jsonrpc/message.ts'
import { CachedJson, CachedText, type Text } from './cached-text.ts'
import { writeJson } from './write-json.ts'

/** Results that are sent again and again: a list is written once, not for every client. */
const keptResults = new WeakMap<object, CachedJson>()

/** Marks a result that is sent more than once, and never changed. */
export function keepText(result: object): void {
  keptResults.set(result, new CachedJson(result))
}

/** A message, or a batch, as text, for transports that can send bytes. */
export function toText(payload: Payload): Text {
  const { id, result } = payload as { id?: unknown; result?: object }
  const kept = result === undefined ? undefined : keptResults.get(result)
  // Arguments of a caller may have bigints; a result of a server with one is a mistake, which its schema does not show.
  if (kept === undefined) return 'method' in payload ? writeJson(payload) : JSON.stringify(payload)
  return new CachedText(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, kept, '}')
}

/** A message, or a batch, as text. */
export const toJson = (payload: Payload): string => String(toText(payload))
