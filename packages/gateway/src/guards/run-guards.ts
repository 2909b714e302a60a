import { ErrorCode, isRpcError, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { GatewayOutcome, GatewayRequest } from '../model.ts'
import type { Guard, GuardAnswer } from './guard.ts'
import { isJsonObject } from './json.ts'

/** A note of a guard for the audit log. */
export interface GuardNote {
  readonly guard: string
  readonly action: 'change' | 'answer' | 'refuse'
  readonly note?: string
}

/** A request or a result that a guard refused. */
export class GuardRefusal extends RpcError {
  readonly guard: string

  constructor(guard: string, message: string) {
    super(ErrorCode.InternalError, message)
    this.guard = guard
  }
}

/** Runs the guards in order before a request, each on the arguments that the one before it left. */
export async function guardArguments(
  guards: readonly Guard[],
  request: GatewayRequest,
  notes: GuardNote[],
): Promise<{ args: JsonObject } | { result: JsonObject }> {
  let { args } = request
  for (const guard of guards) {
    if (guard.before === undefined) continue
    const answer = await asked(guard, () => guard.before!(request, args))
    if (answer === undefined) continue
    notes.push(noteOf(guard, answer))
    if ('refuse' in answer) throw new GuardRefusal(guard.name, answer.refuse)
    if ('answer' in answer) return { result: answer.answer }
    args = answer.change
  }
  return { args }
}

/** Runs the guards in the opposite order after a request. */
export async function guardOutcome(
  guards: readonly Guard[],
  request: GatewayRequest,
  outcome: GatewayOutcome,
  notes: GuardNote[],
): Promise<GatewayOutcome> {
  let current = outcome
  for (const guard of guards.toReversed()) {
    if (guard.after === undefined) continue
    const value = upstreamValue(current)
    if (value === undefined) return current
    const answer = await refusing(guard, () => guard.after!(request, value, current.kind))
    if (answer === undefined) continue
    notes.push(noteOf(guard, answer))
    if ('refuse' in answer) current = { kind: 'error', error: new GuardRefusal(guard.name, answer.refuse) }
    else current = changed(current, 'change' in answer ? answer.change : answer.answer)
  }
  return current
}

/** The part of an outcome that comes from the upstream; errors of the gateway itself have none. */
function upstreamValue(outcome: GatewayOutcome): JsonObject | undefined {
  if (outcome.kind === 'result') return outcome.result
  const { error } = outcome
  if (!isRpcError(error) || error instanceof GuardRefusal) return undefined
  return { message: error.message, ...(error.data !== undefined && { data: error.data }) }
}

function changed(outcome: GatewayOutcome, value: JsonObject): GatewayOutcome {
  if (outcome.kind === 'result') return { kind: 'result', result: value }
  const { code, remote } = outcome.error as RpcError
  return { kind: 'error', error: new RpcError(code, String(value.message), value.data, { remote }) }
}

/** A guard that fails has not agreed. */
async function asked(guard: Guard, ask: () => GuardAnswer | Promise<GuardAnswer>): Promise<GuardAnswer> {
  const answer = await refusing(guard, ask)
  if (answer !== undefined && 'change' in answer && !isJsonObject(answer.change)) return failed(guard, 'no object')
  return answer
}

async function refusing(guard: Guard, ask: () => GuardAnswer | Promise<GuardAnswer>): Promise<GuardAnswer> {
  try {
    const answer = ask()
    return answer instanceof Promise ? await answer : answer
  } catch (error) {
    return failed(guard, error instanceof Error ? error.message : String(error))
  }
}

const failed = (guard: Guard, why: string): GuardAnswer => ({
  refuse: 'The request could not be checked',
  note: `${guard.name} failed: ${why}`,
})

function noteOf({ name }: Guard, answer: NonNullable<GuardAnswer>): GuardNote {
  const action = 'refuse' in answer ? 'refuse' : 'answer' in answer ? 'answer' : 'change'
  return { guard: name, action, ...(answer.note !== undefined && { note: answer.note }) }
}
