import type { JsonObject } from '@tenon/sdk/client'
import type { BackendRequest } from '@tenon/sdk/relay'
import { inputMethods } from './input-capabilities.ts'

/** The params for the server: without the input responses and the state of the client's own rounds. */
export function forwardedParams({ method, params }: BackendRequest): JsonObject {
  if (!inputMethods.has(method)) return params
  const { inputResponses: _, requestState: __, ...rest } = params
  return rest
}

/** The same without `task`: the client and the server use tasks in different ways. */
export function paramsWithoutTask(request: BackendRequest): JsonObject {
  const params = forwardedParams(request)
  if (!inputMethods.has(request.method) || params.task === undefined) return params
  const { task: _, ...rest } = params
  return rest
}
