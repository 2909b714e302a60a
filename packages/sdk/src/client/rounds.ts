import { isRpcError, McpError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { Connection } from './connection.ts'
import { prepareAnswer } from './input.ts'
import { type Ask, type InputSources, isOwnRpcError } from './input-request.ts'
import { toError } from './options.ts'
import type { CallOptions, InputContext } from './types.ts'
import { whileWanted } from './while-wanted.ts'

/** A call to a server that may answer it with questions. */
export interface Exchange {
  connection: Connection
  method: string
  params: JsonObject
  options: CallOptions
  /** When the call began, by `performance.now()`. */
  started: number
}

/** Answers what a server asks for instead of a result, and calls again with the answers, until there is a result. */
export async function untilComplete(first: JsonObject, exchange: Exchange, sources: InputSources): Promise<JsonObject> {
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
    if (questions.length === 0) await pause(pauses++, exchange, sources)
    const answers = await answer(questions, exchange, sources)
    // Only what this result brought: a state of an earlier round is not valid any more.
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
  inputRequests?: { [key: string]: Question }
  requestState?: string
}

interface Question {
  method: string
  params?: JsonObject
}

/** All questions of a round at once. Nobody is asked anything if one of them cannot be answered. */
async function answer(
  questions: readonly [string, Question][],
  exchange: Exchange,
  sources: InputSources,
): Promise<JsonObject> {
  const { maxIncoming } = sources.settings.peer
  if (questions.length > maxIncoming) {
    throw new McpError(
      'invalid_result',
      `${exchange.method} asked for ${questions.length} inputs at once, the limit is ${maxIncoming}`,
    )
  }
  if (questions.length === 0) return {}
  return whileWanted(wanted(exchange, sources), async (signal) => {
    const prepared = questions.map(
      ([key, question]) => [key, prepare(key, question, exchange, sources, signal)] as const,
    )
    return Object.fromEntries(await Promise.all(prepared.map(async ([key, ask]) => [key, await ask()] as const)))
  })
}

const capabilities: ReadonlyMap<string, keyof ClientCapabilities> = new Map([
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
])

function prepare(
  key: string,
  { method, params }: Question,
  { connection, method: caller }: Exchange,
  sources: InputSources,
  signal: AbortSignal,
): Ask<JsonObject> {
  const { server, declared } = connection
  const where = `${caller} result.inputRequests[${JSON.stringify(key.slice(0, 40))}]`
  const capability = capabilities.get(method)
  if (capability === undefined || declared[capability] === undefined) {
    const what = JSON.stringify(method.slice(0, 40))
    throw new McpError('invalid_result', `${where} asks for ${what}, which this client did not declare`)
  }
  const context: InputContext = { signal, revision: server.revision, serverInfo: server.info }
  const ask = prepared(where, () => prepareAnswer(method, params, { connection, context }, sources))
  return async () => {
    try {
      return await ask()
    } catch (error) {
      throw failure(caller, method, error)
    }
  }
}

/** What would be refused with an error if a server could be answered with one is a wrong result here. */
function prepared<T>(where: string, prepare: () => T): T {
  try {
    return prepare()
  } catch (error) {
    if (!isRpcError(error)) throw error
    throw new McpError('invalid_result', `${where} cannot be answered: ${error.message}`, { cause: error })
  }
}

/** Errors that only look like answers of this server, because a callback uses other clients, must not be taken for one. */
function failure(caller: string, method: string, thrown: unknown): Error {
  if (isOwnRpcError(thrown)) return thrown
  const why = toError(thrown).message
  return new McpError('invalid_argument', `${caller} cannot go on, because the answer to ${method} failed: ${why}`, {
    cause: thrown,
  })
}

const wanted = (exchange: Exchange, sources: InputSources): Parameters<typeof whileWanted>[0] => ({
  method: exchange.method,
  signal: exchange.options.signal,
  ending: exchange.connection.ending,
  remainingMs: remainingMs(exchange, sources),
})

function remainingMs({ options, started, method }: Exchange, { settings }: InputSources): number {
  const left = started + (options.maxTotalMs ?? settings.peer.maxTotalMs) - performance.now()
  if (left > 0) return left
  throw new McpError('timeout', `${method} was not complete within the maximum total time`)
}

/** A server that asks nothing wants to be called again: at once the first time, then after growing pauses. */
async function pause(before: number, exchange: Exchange, sources: InputSources): Promise<void> {
  if (before === 0) return
  const ms = Math.min(50 * 2 ** before, 5_000)
  await whileWanted(
    wanted(exchange, sources),
    (signal) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        signal.addEventListener('abort', () => clearTimeout(timer))
      }),
  )
}

const nothingAsked = (method: string): McpError =>
  new McpError(
    'invalid_result',
    `${method} result: expected inputRequests or requestState in input_required, got neither`,
  )
