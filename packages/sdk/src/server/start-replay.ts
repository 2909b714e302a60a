import { ErrorCode, RpcError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Call } from './call.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Definition } from './definition.ts'
import { type Memory, Replay } from './replay.ts'

/** Prepares a request for questions. */
export function startReplay(call: Call, definition: Definition, params: JsonObject, memory?: Memory): Replay {
  const responses = (params.inputResponses ?? {}) as { [key: string]: JsonObject }
  call.input = { responses, state: memory?.own }
  const save = (next: Memory): Promise<string> => definition.seal.seal(next, boundTo(call, definition, params))
  call.replay = new Replay(memory, responses, save)
  return call.replay
}

/**
 * Goes on with what an earlier round left behind. It is good for one round: who sends it twice would have things done
 * twice. A round that failed, or whose answer nobody waited for, may be repeated.
 */
export async function resumeReplay(
  call: Call,
  definition: Definition,
  params: JsonObject,
  requestState: string,
  run: (replay: Replay) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { seal, spent } = definition
  const { data, id, expires } = await seal.open(requestState, boundTo(call, definition, params))
  if (!(await spent.spend(id, expires))) throw spentBefore()
  let answered = false
  try {
    const result = await run(startReplay(call, definition, params, data as Memory))
    answered = !call.request.cancelled
    return result
  } finally {
    if (!answered) await spent.release(id)
  }
}

const spentBefore = (): RpcError =>
  new RpcError(ErrorCode.InvalidParams, 'requestState was used before: send the request again without it')

/** What state belongs to: it is of no use to another server, caller or request. */
const boundTo = (call: Call, { info }: Definition, params: JsonObject): string =>
  canonicalJson([
    info.name,
    call.caller.auth?.principal ?? null,
    call.request.method,
    params.name ?? params.uri ?? null,
    params.arguments ?? {},
  ])
