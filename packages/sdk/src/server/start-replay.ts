import type { JsonObject } from '../jsonrpc/message.ts'
import type { Call } from './call.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Definition } from './definition.ts'
import { type Memory, Replay } from './replay.ts'

/** Prepares a request for questions: what came back of an earlier round is opened before anything runs. */
export function startReplay(call: Call, definition: Definition, params: JsonObject): Replay | Promise<Replay> {
  const { seal } = definition
  const responses = (params.inputResponses ?? {}) as { [key: string]: JsonObject }
  const sealed = params.requestState as string | null | undefined
  const start = (memory?: Memory): Replay => {
    call.input = { responses, state: memory?.own }
    call.replay = new Replay(memory, responses, (next) => seal.seal(next, boundTo(call, definition, params)))
    return call.replay
  }
  if (typeof sealed !== 'string') return start()
  return seal.open(sealed, boundTo(call, definition, params)).then((memory) => start(memory as Memory))
}

/** What came back of an earlier round, and how to send the next. */
export async function openState(
  call: Call,
  definition: Definition,
  params: JsonObject,
): Promise<{ memory: Memory | undefined; seal: (next: Memory) => Promise<string> }> {
  const bound = boundTo(call, definition, params)
  const sealed = params.requestState
  const memory = typeof sealed === 'string' ? await definition.seal.open(sealed, bound) : undefined
  return { memory: memory as Memory | undefined, seal: (next) => definition.seal.seal(next, bound) }
}

/** What state belongs to: it is of no use to another server, caller or request. */
const boundTo = (call: Call, { info }: Definition, params: JsonObject): string =>
  canonicalJson([
    info.name,
    call.caller.auth?.principal ?? null,
    call.request.method,
    params.name ?? params.uri ?? null,
    params.arguments ?? {},
  ])
