import type { JsonObject } from '@tenon/sdk/client'
import { ErrorCode } from '@tenon/sdk/client'
import { jsonExcerpt } from '../json/describe-value.ts'
import type { Recording } from './recording.ts'
import { relevantParams } from './request-key.ts'

/** Requests with an empty result, which need not have been recorded. */
const emptyResults: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

/** The result of a request that was not recorded, if there can be one. */
export function unrecordedResult(recording: Recording, method: string): JsonObject | undefined {
  if (emptyResults.has(method)) return {}
  return method === 'server/discover' ? recording.kind.discoverResult() : undefined
}

interface UnknownRequest {
  code: number
  message: string
  data: { nearest: string[] }
}

/** The error for a request that is not in the recording. */
export function unknownRequest(recording: Recording, method: string, params: JsonObject | undefined): UnknownRequest {
  const nearest = recording.near(method, params)
  const asked = `${method} ${jsonExcerpt(relevantParams(method, params), 200)}`
  const hint = nearest.length === 0 ? '' : `; recorded is ${nearest.join(', ')}`
  const isKnown = recording.has(method)
  return {
    code: isKnown ? ErrorCode.InvalidParams : ErrorCode.MethodNotFound,
    message: `Not in the recording: ${isKnown ? asked : method}${hint}`,
    data: { nearest },
  }
}
