import { ErrorCode, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Definition } from '../definition/definition.ts'
import type { Call } from '../dispatch/call.ts'
import { canonicalJson } from '../questions/canonical-json.ts'
import { type Memory, Replay } from '../questions/replay.ts'
import type { Round } from '../questions/round.ts'
import { sealOf } from './state-seal.ts'

/** What asks in a round, made with its first question. */
export function replayOf(call: Call, round: Round): Replay {
  const { definition, params } = round
  const save = (next: Memory): Promise<string> => sealOf(definition).seal(next, boundTo(call, definition, params))
  round.replay ??= new Replay(round, call.input.responses, save)
  return round.replay
}

/** What came back of an earlier round, and how to seal what the next one needs. */
export interface OpenedState {
  readonly memory: Memory | undefined
  readonly seal: (next: Memory) => Promise<string>
}

/**
 * Runs a round with what an earlier one left behind. That is good for one round: who sends it twice would have things
 * done twice. A round that failed, or whose answer nobody waited for, may be repeated.
 */
export async function withRequestState(
  call: Call,
  definition: Definition,
  params: JsonObject,
  run: (state: OpenedState) => Promise<JsonObject>,
): Promise<JsonObject> {
  const bound = boundTo(call, definition, params)
  const seal = (next: Memory): Promise<string> => sealOf(definition).seal(next, bound)
  const { requestState } = params
  if (typeof requestState !== 'string') return run({ memory: undefined, seal })
  const { data, id, expires } = await sealOf(definition).open(requestState, bound)
  if (!(await definition.spent.spend(id, expires))) throw spentBefore()
  let answered = false
  try {
    const result = await run({ memory: data as Memory, seal })
    answered = !call.request.cancelled
    return result
  } finally {
    if (!answered) await definition.spent.release(id)
  }
}

const spentBefore = (): RpcError =>
  new RpcError(ErrorCode.InvalidParams, 'requestState was used before: send the request again without it')

/** What state belongs to: it is of no use to another server, caller or request. */
const boundTo = (call: Call, { info }: Definition, params: JsonObject): string =>
  JSON.stringify([
    info.name,
    call.caller.auth?.principal ?? null,
    call.request.method,
    params.name ?? params.uri ?? null,
    canonicalJson(params.arguments ?? {}),
  ])
