import { McpError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Call } from '../dispatch/call.ts'
import { replayOf } from '../stateless/request-state.ts'
import { ask, needCapability } from './ask.ts'
import { type InputRequest, InputRequired, neededFor } from './input-required.ts'
import type { HandlerInput, Interrupted, Round } from './round.ts'

const maxRounds = 100

/** Goes on with a handler that returned its questions in place of a result. */
export const continueWithInput = (call: Call, asked: InputRequired, handler: () => unknown): Promise<unknown> =>
  call.round === undefined ? askAndRun(call, asked, handler) : interrupt(call, call.round, asked)

async function interrupt(call: Call, round: Round, { requests, state }: InputRequired): Promise<Interrupted> {
  for (const request of Object.values(requests ?? {})) needCapability(call, neededFor(request)!)
  return replayOf(call, round).asking(requests as JsonObject | undefined, state)
}

/** Who can be asked at once is asked at once, also by a handler that spells its questions out. */
async function askAndRun(call: Call, asked: InputRequired, handler: () => unknown): Promise<unknown> {
  let next = asked
  for (let round = 1; round < maxRounds; round++) {
    call.input = await inputFor(call, next)
    call.steps?.again()
    const returned = await handler()
    if (!(returned instanceof InputRequired)) return returned
    next = returned
  }
  throw new McpError('invalid_result', `A handler asked for input ${maxRounds} times and did not come to an end`)
}

async function inputFor(call: Call, { requests = {}, state }: InputRequired): Promise<HandlerInput> {
  const asked = Object.entries(requests).map(
    async ([key, request]): Promise<[string, JsonObject]> => [key, await askFor(call, request)],
  )
  return { responses: Object.fromEntries(await Promise.all(asked)), state: throughJson(state) }
}

const askFor = (call: Call, request: InputRequest): Promise<JsonObject> =>
  ask(call, request.method, { ...request.params }, neededFor(request)!)

/** State comes back as it would from a client that carried it. */
const throughJson = (state: unknown): unknown => (state === undefined ? undefined : JSON.parse(JSON.stringify(state)))
