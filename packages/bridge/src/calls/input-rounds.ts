import type { JsonObject } from '@tenon/sdk/client'
import type { BackendRequest, RawCallOptions, RawSender } from '@tenon/sdk/relay'
import { ErrorCode, type InputRequest, type InputRequired, inputRequired, RpcError } from '@tenon/sdk/server'
import { delay } from '../delay.ts'
import { withTasks } from '../tasks/capability.ts'
import { requiresTask, waitForTask } from '../tasks/task-calls.ts'
import type { UpstreamConnection } from '../upstream/connection.ts'
import { type ActiveCall, callOptions, sessionCall, statelessCall } from './active-call.ts'
import { canBeAsked } from './input-capabilities.ts'
import { forwardedParams } from './params.ts'

/** The number of rounds after which a call of a client with a session fails. */
const maxRounds = 100

interface InputRequiredResult {
  inputRequests?: { [key: string]: InputRequest }
  /** Returned to the server as it came. */
  requestState?: string
}

/** Calls a stateless server for a client with a session: the client answers the input requests of every round. */
export async function callInRounds(
  connection: UpstreamConnection,
  request: BackendRequest,
  sender: RawSender,
): Promise<JsonObject> {
  const call = sessionCall(request)
  const options = callOptions(request, sender, call)
  try {
    return await untilComplete(connection, call, request, options)
  } catch (error) {
    if (!requiresTask(error)) throw error
    // The refused call did not run. Clients with a session cannot declare this extension, so the bridge does.
    const withExtension = { ...options, sender: withTasks(sender) }
    const result = await untilComplete(connection, call, request, withExtension)
    return result.resultType === 'task' ? waitForTask(connection, call, result, withExtension) : result
  }
}

async function untilComplete(
  connection: UpstreamConnection,
  call: ActiveCall,
  request: BackendRequest,
  options: RawCallOptions,
): Promise<JsonObject> {
  const params = forwardedParams(request)
  let result = await connection.run(call, request.method, params, options)
  let pauses = 0
  for (let round = 1; result.resultType === 'input_required'; round++) {
    if (round > maxRounds) throw new RpcError(ErrorCode.InternalError, `The server asked ${maxRounds} times for input`)
    const { inputRequests = {}, requestState } = result as InputRequiredResult
    const requests = Object.entries(inputRequests)
    if (requests.length === 0) await delay(pauseMs(pauses++), request.signal)
    const inputResponses = await responsesTo(requests, call, request)
    const again = { ...params, inputResponses, ...(requestState !== undefined && { requestState }) }
    result = await connection.run(call, request.method, again, options)
  }
  return result
}

/** Asks all at once, or nothing if one of them cannot be asked. */
async function responsesTo(
  requests: readonly [string, InputRequest][],
  call: ActiveCall,
  { caller, signal }: BackendRequest,
): Promise<JsonObject> {
  const wrong = requests.find(([, { method }]) => !canBeAsked(method, caller.capabilities))
  if (wrong !== undefined) {
    const problem = `The server asks for ${wrong[1].method}, which the client did not declare`
    throw new RpcError(ErrorCode.InternalError, problem)
  }
  const responses = requests.map(
    async ([key, { method, params = {} }]): Promise<[string, JsonObject]> => [
      key,
      await call.ask({ method, params: { ...params }, signal }),
    ],
  )
  return Object.fromEntries(await Promise.all(responses))
}

/**
 * Passes one round between a stateless client and a stateless server. The server's `requestState` travels inside the
 * bridge's own, so the bridge keeps nothing between rounds.
 */
export async function callOneRound(
  connection: UpstreamConnection,
  request: BackendRequest,
  sender: RawSender,
): Promise<JsonObject | InputRequired> {
  const call = statelessCall(request)
  const { responses, state } = request.input
  const { upstream } = (state ?? {}) as { upstream?: string }
  const params = {
    ...forwardedParams(request),
    ...(state !== undefined && { inputResponses: responses }),
    ...(upstream !== undefined && { requestState: upstream }),
  }
  const result = await connection.run(call, request.method, params, callOptions(request, sender, call))
  if (result.resultType !== 'input_required') return result
  const { inputRequests, requestState } = result as InputRequiredResult
  return inputRequired({
    ...(inputRequests && { requests: inputRequests }),
    state: { ...(requestState !== undefined && { upstream: requestState }) },
  })
}

/** A round without input requests is repeated: at once the first time, then after growing pauses. */
const pauseMs = (before: number): number => (before === 0 ? 0 : Math.min(50 * 2 ** before, 5_000))
