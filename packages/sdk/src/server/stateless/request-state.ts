import { ErrorCode, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { canonicalJson } from '../questions/canonical-json.ts'
import type { Memory } from '../questions/memory.ts'
import { Replay } from '../questions/replay.ts'
import type { Round, RoundCall } from '../questions/round.ts'
import { type StateServer, sealOf } from './state-seal.ts'

/** The questions of a round, made with the first of them. */
export function replayOf(call: RoundCall, round: Round): Replay {
  round.replay ??= new Replay(round, call.input.responses, saverOf(call, round), round.keeper?.keepSteps)
  return round.replay
}

function saverOf(call: RoundCall, { server, params, keeper }: Round): (memory: Memory) => Promise<string> {
  if (keeper !== undefined) return (memory) => keeper.save(memory)
  return (memory) => sealOf(server).seal(memory, boundTo(call, server, params))
}

/** The opened state of an earlier round, and the way to seal that of the next one. */
export interface OpenedState {
  readonly memory: Memory | undefined
  readonly seal: (next: Memory) => Promise<string>
}

/**
 * Runs a round with the state of an earlier one. State is good for one round: a repeated request would run the handler's
 * effects twice. A round that failed, or whose answer nobody waited for, may be repeated.
 */
export async function withRequestState(
  call: RoundCall,
  server: StateServer,
  params: JsonObject,
  run: (state: OpenedState) => Promise<JsonObject>,
): Promise<JsonObject> {
  const bound = boundTo(call, server, params)
  const seal = (next: Memory): Promise<string> => sealOf(server).seal(next, bound)
  const { requestState } = params
  if (typeof requestState !== 'string') return run({ memory: undefined, seal })
  const { data, id, expires } = await sealOf(server).open(requestState, bound)
  if (!(await server.spent.spend(id, expires))) throw spentBefore()
  let answered = false
  try {
    const result = await run({ memory: data as Memory, seal })
    answered = !call.request.cancelled
    return result
  } finally {
    if (!answered) await server.spent.release(id)
  }
}

const spentBefore = (): RpcError =>
  new RpcError(ErrorCode.InvalidParams, 'requestState was used before: send the request again without it')

/** The owner of state: it is of no use to another server, caller or request. */
const boundTo = (call: RoundCall, { info }: StateServer, params: JsonObject): string =>
  JSON.stringify([
    info.name,
    call.caller.auth?.principal ?? null,
    call.request.method,
    params.name ?? params.uri ?? null,
    canonicalJson(params.arguments ?? {}),
  ])
