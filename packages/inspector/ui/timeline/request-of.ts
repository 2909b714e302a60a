import type { TimelineEntry } from '../../src/protocol.ts'

interface Request {
  method: string
  params: { [name: string]: unknown }
}

/** The request in a message, if the workbench sent it. */
export function requestOf({ kind, from, payload }: TimelineEntry): Request | undefined {
  if (kind !== 'request' || from !== 'client') return undefined
  const { method, params = {} } = payload as { method: string; params?: { [name: string]: unknown } }
  // The client adds `_meta` again when the request is sent again.
  const { _meta: _, ...own } = params
  return { method, params: own }
}
