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

export interface UnknownRequest {
  code: number
  message: string
  data: { nearest: string[] }
}

/** The error for a request that is not in the recording; undefined if it can be answered without one. */
export function unknownRequest(
  recording: Recording,
  method: string,
  params: JsonObject | undefined,
): UnknownRequest | undefined {
  if (emptyResults.has(method)) return undefined
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
