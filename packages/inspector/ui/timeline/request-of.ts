import { mayRound, readExact } from '../../src/exact-json.ts'
import type { TimelineEntry } from '../../src/protocol.ts'

interface Request {
  method: string
  params: { [name: string]: unknown }
}

/** The request in a message, if the workbench sent it. */
export function requestOf({ kind, from, payload, text }: TimelineEntry): Request | undefined {
  if (kind !== 'request' || from !== 'client') return undefined
  // As it was sent, with all digits of its numbers.
  const exact = mayRound(text) ? readExact(text) : payload
  const { method, params = {} } = exact as { method: string; params?: { [name: string]: unknown } }
  // The client adds `_meta` again when the request is sent again.
  const { _meta: _, ...own } = params
  return { method, params: own }
}
