import type { JsonObject } from '@tenon/sdk/client'
import { canonical } from '../json/canonical.ts'
import { isObject } from '../json/is-object.ts'

/** Requests whose params do not matter. */
const sameForAll: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping'])

/** The params that decide the result. `_meta` does not; input responses are compared separately. */
export function relevantParams(method: string, params: JsonObject | undefined): JsonObject {
  if (sameForAll.has(method) || !isObject(params)) return {}
  const { _meta, inputResponses, ...relevant } = params
  // No arguments and empty ones are the same to every server.
  if (isObject(relevant.arguments) && Object.keys(relevant.arguments).length === 0) delete relevant.arguments
  return inputResponses === undefined ? relevant : { ...relevant, inputResponses: true }
}

/** Requests with the same key are the same request, made again. */
export const requestKey = (method: string, params: JsonObject | undefined): string =>
  `${method} ${canonical(relevantParams(method, params))}`
