import type { JsonObject } from '@tenon/sdk/client'
import { ErrorCode } from '@tenon/sdk/client'
import { show } from '../json/is-object.ts'
import type { Recording } from './recording.ts'
import { relevantParams } from './request-key.ts'

/** Requests whose result says nothing: a server that takes them need not have been recorded doing so. */
const emptyResults: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

/** What can be answered although it was not recorded: requests about nothing, and who the server is. */
export function answerAnyway(recording: Recording, method: string): JsonObject | undefined {
  if (emptyResults.has(method)) return {}
  return method === 'server/discover' && !recording.handshake ? introduce(recording) : undefined
}

/** A client that knows its server need not ask who it is; one that is served the recording may. */
function introduce(recording: Recording): JsonObject {
  const { revision, server } = recording.about
  const offers = (feature: string): JsonObject => (recording.offers(`${feature}/`) ? { [feature]: {} } : {})
  return {
    resultType: 'complete',
    supportedVersions: [revision],
    capabilities: {
      ...offers('tools'),
      ...offers('resources'),
      ...offers('prompts'),
      ...(recording.has('completion/complete') && { completions: {} }),
    },
    ttlMs: 0,
    cacheScope: 'private',
    ...(server && { _meta: { 'io.modelcontextprotocol/serverInfo': server } }),
  }
}

export interface UnknownRequest {
  code: number
  message: string
  data: { nearest: string[] }
}

/** The error for a request that is not in the recording. */
export function unknownRequest(recording: Recording, method: string, params: JsonObject | undefined): UnknownRequest {
  const nearest = recording.near(method, params)
  const asked = `${method} ${show(relevantParams(method, params), 200)}`
  const hint = nearest.length === 0 ? '' : `; recorded is ${nearest.join(', ')}`
  const isKnown = recording.has(method)
  return {
    code: isKnown ? ErrorCode.InvalidParams : ErrorCode.MethodNotFound,
    message: `Not in the recording: ${isKnown ? asked : method}${hint}`,
    data: { nearest },
  }
}
