import type { RequestId } from '../src/jsonrpc/message.ts'
import type { Revision } from '../src/model/revision.ts'
import type { Side, Transcript } from '../src/testing.ts'
import { validateMessage } from './wire-schema.ts'

/** The faults of a conversation by the published schema of its revision. */
export function transcriptProblems(revision: Revision, transcript: Transcript): string[] {
  const asked = { client: new Map<RequestId, string>(), server: new Map<RequestId, string>() }
  return transcript.entries.flatMap(({ from, payload }) => {
    for (const message of [payload].flat())
      if ('method' in message && 'id' in message) asked[from].set(message.id, message.method)
    const other: Side = from === 'client' ? 'server' : 'client'
    return validateMessage(revision, from, payload, { methodOf: (id) => asked[other].get(id) })
  })
}
