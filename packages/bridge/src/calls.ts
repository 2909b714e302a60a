import type { JsonObject } from '@tenon/sdk/client'
import type { BackendRequest, RawCallOptions, RawSender } from '@tenon/sdk/relay'
import { type InputRequest, type InputRequired, inputRequired } from '@tenon/sdk/server'
import type { Link } from './link.ts'
import type { Running } from './running.ts'
import { carriesTasks } from './shown.ts'
import { runCall } from './tasks.ts'

/** The part of a request that goes to the server as it is. */
export function paramsOf({ params, caller }: BackendRequest, { client }: Link): JsonObject {
  const { inputResponses: _, requestState: __, ...rest } = params
  if (rest.task === undefined || carriesTasks(client.server, caller.revision)) return rest
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

  constructor(request: BackendRequest) {
    this.#request = request
    this.logLevel = request.logLevel
    this.canAsk = request.live
    this.hearsLogs = request.live || request.logLevel !== undefined
  }

  ask: Running['ask'] = ({ method, params, signal }) =>
    this.#request.ask(method, params, { signal: AbortSignal.any([signal, this.#request.signal]) })

  notify(method: string, params: JsonObject): void {
    const { progressToken } = this.#request
    const said = method === 'notifications/progress' ? { ...params, progressToken } : params
    void this.#request.notify(method, said)
  }
}

/** Sends a request that needs no questions, or whose client is there to answer them. */
export function callLive(link: Link, request: BackendRequest, sender: RawSender): Promise<JsonObject> {
  const call = new LiveCall(request)
  return runCall(link, call, request, callOptions(request, sender, call))
}

/** What this bridge remembers of a round, in the hands of the client. */
interface RoundState {
  /** What the server wants to get back. */
  upstream?: string
  /** How often it wanted to be called again without asking anything. */
  pauses?: number
}

/**
 * Sends one round of a request to a server that asks with its answers. Its questions become ours, and what it wants to
 * get back travels with them, so nothing has to be remembered here.
 */
export async function callRound(
  link: Link,
  request: BackendRequest,
  sender: RawSender,
): Promise<JsonObject | InputRequired> {
  const call = new LiveCall(request)
  const { responses, state } = request.input
  const { upstream, pauses = 0 } = (state ?? {}) as RoundState
  const isFirst = state === undefined
  const params = {
    ...paramsOf(request, link),
    ...(!isFirst && { inputResponses: responses }),
    ...(upstream !== undefined && { requestState: upstream }),
  }
  if (pauses > 1 && request.live) await pause(pauses, request.signal)
  const result = await link.run(call, request.method, params, callOptions(request, sender, call))
  if (result.resultType !== 'input_required') return result
  const requests = result.inputRequests as { [key: string]: InputRequest } | undefined
  const asks = requests !== undefined && Object.keys(requests).length > 0
  return inputRequired({
    ...(requests && { requests }),
    state: {
      ...(result.requestState !== undefined && { upstream: result.requestState }),
      ...(!asks && { pauses: pauses + 1 }),
    },
  })
}

/** A server that asks nothing wants to be called again: at once the first time, then after growing pauses. */
const pause = (before: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(50 * 2 ** before, 5_000))
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })
