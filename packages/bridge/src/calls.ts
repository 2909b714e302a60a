import type { JsonObject } from '@tenon/sdk/client'
import type { BackendRequest, RawCallOptions, RawSender } from '@tenon/sdk/relay'
import { ErrorCode, type InputRequest, type InputRequired, inputRequired, RpcError } from '@tenon/sdk/server'
import type { Link } from './link.ts'
import { Outbox } from './outbox.ts'
import { canBeAsked, mayAsk, type Running, wait } from './running.ts'
import { sharesTasks } from './shown.ts'
import { runCall, wantsTasks, watchTask, withTasks } from './tasks.ts'

/** The part of a request that goes to the server as it is. */
export function paramsOf({ method, params, caller }: BackendRequest, { client }: Link): JsonObject {
  if (!mayAsk.has(method)) return params
  const { inputResponses: _, requestState: __, ...rest } = params
  if (rest.task === undefined || sharesTasks(client.server, caller.revision)) return rest
  const { task: ___, ...plain } = rest
  return plain
}

export function callOptions(request: BackendRequest, sender: RawSender, call: Running): RawCallOptions {
  const { progressToken, signal } = request
  return {
    sender,
    signal,
    ...(progressToken !== undefined && {
      onProgress: (progress) => call.notify('notifications/progress', { ...progress }),
    }),
  }
}

/** A call whose client can be asked and told while it is under way. */
export class LiveCall implements Running {
  readonly logLevel: Running['logLevel']
  readonly hearsLogs: boolean
  readonly canAsk: boolean
  readonly #request: BackendRequest
  readonly #outbox: Outbox

  constructor(request: BackendRequest) {
    this.#request = request
    this.#outbox = new Outbox((method, params) => request.notify(method, params))
    this.logLevel = request.logLevel
    this.canAsk = request.live
    this.hearsLogs = request.live || request.logLevel !== undefined
  }

  ask: Running['ask'] = ({ method, params, signal }) =>
    this.#request.ask(method, params, { signal: AbortSignal.any([signal, this.#request.signal]) })

  notify(method: string, params: JsonObject): void {
    const { progressToken } = this.#request
    const said = method === 'notifications/progress' ? { ...params, progressToken } : params
    this.#outbox.post(method, said)
  }
}

/** Sends a request that needs no questions, or whose client is there to answer them. */
export function callLive(link: Link, request: BackendRequest, sender: RawSender): Promise<JsonObject> {
  const call = new LiveCall(request)
  return runCall(link, call, request, callOptions(request, sender, call))
}

/** How often a server may answer one call of a client with a session with questions. */
const maxRounds = 100

interface Asking {
  inputRequests?: { [key: string]: InputRequest }
  /** What the server wants to get back. */
  requestState?: string
}

/** Sends requests to a server that asks with its answers, for a client that is there to be asked. */
export async function callRounds(link: Link, request: BackendRequest, sender: RawSender): Promise<JsonObject> {
  const call = new LiveCall(request)
  const options = callOptions(request, sender, call)
  try {
    return await untilComplete(link, call, request, options)
  } catch (error) {
    if (!wantsTasks(error)) throw error
    // It did not run, and the client cannot know what it lacks: the bridge knows tasks in its place.
    const knowing = { ...options, sender: withTasks(sender) }
    const result = await untilComplete(link, call, request, knowing)
    return result.resultType === 'task' ? watchTask(link, call, result, knowing) : result
  }
}

async function untilComplete(
  link: Link,
  call: LiveCall,
  request: BackendRequest,
  options: RawCallOptions,
): Promise<JsonObject> {
  const params = paramsOf(request, link)
  let result = await link.run(call, request.method, params, options)
  let pauses = 0
  for (let round = 1; result.resultType === 'input_required'; round++) {
    if (round > maxRounds) throw new RpcError(ErrorCode.InternalError, `The server asked ${maxRounds} times for input`)
    const { inputRequests = {}, requestState } = result as Asking
    const questions = Object.entries(inputRequests)
    if (questions.length === 0) await wait(pauseMs(pauses++), request.signal)
    const inputResponses = await answersTo(questions, call, request)
    const again = { ...params, inputResponses, ...(requestState !== undefined && { requestState }) }
    result = await link.run(call, request.method, again, options)
  }
  return result
}

/** All questions at once; nobody is asked anything if one of them cannot be asked. */
async function answersTo(
  questions: readonly [string, InputRequest][],
  call: LiveCall,
  { caller, signal }: BackendRequest,
): Promise<JsonObject> {
  const wrong = questions.find(([, { method }]) => !canBeAsked(method, caller.capabilities))
  if (wrong !== undefined) {
    const problem = `The server asks for ${wrong[1].method}, which the client did not declare`
    throw new RpcError(ErrorCode.InternalError, problem)
  }
  const answers = questions.map(
    async ([key, { method, params = {} }]): Promise<[string, JsonObject]> => [
      key,
      await call.ask({ method, params: { ...params }, signal }),
    ],
  )
  return Object.fromEntries(await Promise.all(answers))
}

/**
 * Sends one round of a request to a server that asks with its answers, for a client that can only be asked so. The
 * questions are the server's, and what it wants to get back travels with them: nothing has to be remembered here.
 */
export async function callRound(
  link: Link,
  request: BackendRequest,
  sender: RawSender,
): Promise<JsonObject | InputRequired> {
  const call = new LiveCall(request)
  const { responses, state } = request.input
  const { upstream } = (state ?? {}) as { upstream?: string }
  const params = {
    ...paramsOf(request, link),
    ...(state !== undefined && { inputResponses: responses }),
    ...(upstream !== undefined && { requestState: upstream }),
  }
  const result = await link.run(call, request.method, params, callOptions(request, sender, call))
  if (result.resultType !== 'input_required') return result
  const { inputRequests, requestState } = result as Asking
  return inputRequired({
    ...(inputRequests && { requests: inputRequests }),
    state: { ...(requestState !== undefined && { upstream: requestState }) },
  })
}

/** A server that asks nothing wants to be called again: at once the first time, then after growing pauses. */
const pauseMs = (before: number): number => (before === 0 ? 0 : Math.min(50 * 2 ** before, 5_000))
