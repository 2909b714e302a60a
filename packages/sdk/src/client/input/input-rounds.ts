import { McpError } from '../../errors.ts'
import { pause } from '../../internal/timers.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import type { CallOptions } from '../types.ts'
import { answerInputRequests, assertInputLimit, type EmbeddedRequest } from './input-requests.ts'
import type { InputSources } from './input-sources.ts'
import { whileWanted } from './while-wanted.ts'

/** A call that the server may answer with input requests. */
interface RoundTripCall {
  connection: ClientConnection
  method: string
  params: JsonObject
  options: CallOptions
  /** When the call began, by `performance.now()`. */
  started: number
}

/** Answers the input requests of a result and calls again with the answers, until the result is complete. */
export async function callUntilComplete(
  first: JsonObject,
  exchange: RoundTripCall,
  sources: InputSources,
): Promise<JsonObject> {
  const { connection, method, options } = exchange
  const { maxRounds } = sources.settings
  const { inputResponses: _, requestState: __, ...original } = exchange.params
  let result = first
  let pauses = 0
  for (let round = 1; result.resultType === 'input_required'; round++) {
    if (round > maxRounds)
      throw new McpError('invalid_result', `${method} asked for input more than ${maxRounds} times`)
    const { inputRequests, requestState } = result as InputRequired
    if (inputRequests === undefined && requestState === undefined) throw nothingAsked(method)
    const questions = Object.entries(inputRequests ?? {})
    if (questions.length === 0) await pauseBeforeRetry(pauses++, exchange, sources)
    const answers = await answer(questions, exchange, sources)
    // Only the state of this result: that of an earlier round is not valid any more.
    const retry = {
      ...original,
      ...(inputRequests === undefined ? {} : { inputResponses: answers }),
      ...(requestState === undefined ? {} : { requestState }),
    }
    result = await connection.call(method, retry, { ...options, maxTotalMs: remainingMs(exchange, sources) })
  }
  return result
}

interface InputRequired {
  inputRequests?: { [key: string]: EmbeddedRequest }
  requestState?: string
}

/** All input requests of a round at once. */
async function answer(
  questions: readonly [string, EmbeddedRequest][],
  exchange: RoundTripCall,
  sources: InputSources,
): Promise<JsonObject> {
  const { connection, method } = exchange
  const { origin } = exchange.options
  assertInputLimit(questions.length, method, sources)
  if (questions.length === 0) return {}
  return whileWanted(wanted(exchange, sources), (signal) =>
    answerInputRequests(questions, { connection, method, signal, origin }, sources),
  )
}

const wanted = (exchange: RoundTripCall, sources: InputSources): Parameters<typeof whileWanted>[0] => ({
  method: exchange.method,
  signal: exchange.options.signal,
  ending: exchange.connection.ending,
  remainingMs: remainingMs(exchange, sources),
})

function remainingMs({ options, started, method }: RoundTripCall, { settings }: InputSources): number {
  const left = started + (options.maxTotalMs ?? settings.peer.maxTotalMs) - performance.now()
  if (left > 0) return left
  throw new McpError('timeout', `${method} was not complete within the maximum total time`)
}

/** A result without input requests asks for another call: at once the first time, then after growing pauses. */
async function pauseBeforeRetry(before: number, exchange: RoundTripCall, sources: InputSources): Promise<void> {
  if (before === 0) return
  const ms = Math.min(50 * 2 ** before, 5_000)
  await whileWanted(wanted(exchange, sources), (signal) => pause(ms, signal))
}

const nothingAsked = (method: string): McpError =>
  new McpError(
    'invalid_result',
    `${method} result: expected inputRequests or requestState in input_required, got neither`,
  )
