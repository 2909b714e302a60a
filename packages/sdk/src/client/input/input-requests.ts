import { isRpcError, McpError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import { toError } from '../options.ts'
import type { InputContext } from '../types.ts'
import { isOwnRpcError } from './answer-errors.ts'
import { prepareAnswer } from './answer-request.ts'
import type { AnswerProvider, InputSources } from './input-sources.ts'

/** An input request inside a result. */
export interface EmbeddedRequest {
  method: string
  params?: JsonObject
}

/** The call whose result has the input requests. */
interface AnswerScope {
  connection: ClientConnection
  /** The method of the call. */
  method: string
  signal: AbortSignal
  /** The caller's, for the callbacks. */
  origin?: unknown
}

/** Answers all input requests at once. No callback runs if one of them cannot be answered. */
export async function answerInputRequests(
  questions: readonly [string, EmbeddedRequest][],
  asking: AnswerScope,
  sources: InputSources,
): Promise<JsonObject> {
  const prepared = questions.map(([key, question]) => [key, prepare(key, question, asking, sources)] as const)
  return Object.fromEntries(await Promise.all(prepared.map(async ([key, ask]) => [key, await ask()] as const)))
}

/** Refuses more input requests at once than may be in work. */
export function assertInputLimit(count: number, method: string, { settings }: InputSources): void {
  const { maxIncoming } = settings.peer
  if (count <= maxIncoming) return
  throw new McpError('invalid_result', `${method} asked for ${count} inputs at once, the limit is ${maxIncoming}`)
}

const capabilities: ReadonlyMap<string, keyof ClientCapabilities> = new Map([
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
])

function prepare(
  key: string,
  { method, params }: EmbeddedRequest,
  { connection, method: caller, signal, origin }: AnswerScope,
  sources: InputSources,
): AnswerProvider<JsonObject> {
  const { server, terms } = connection
  const where = `${caller} result.inputRequests[${JSON.stringify(key.slice(0, 40))}]`
  const capability = capabilities.get(method)
  if (capability === undefined || terms.declared[capability] === undefined) {
    const what = JSON.stringify(method.slice(0, 40))
    throw new McpError('invalid_result', `${where} asks for ${what}, which this client did not declare`)
  }
  const context: InputContext = { signal, revision: server.revision, serverInfo: server.info, origin }
  const ask = prepared(where, () => prepareAnswer(method, params, { connection, context }, sources))
  return async () => {
    try {
      return await ask()
    } catch (error) {
      throw failure(caller, method, error)
    }
  }
}

/** An input request that cannot be answered makes the result invalid: there is no error response to it. */
function prepared<T>(where: string, prepare: () => T): T {
  try {
    return prepare()
  } catch (error) {
    if (!isRpcError(error)) throw error
    throw new McpError('invalid_result', `${where} cannot be answered: ${error.message}`, { cause: error })
  }
}

/** Errors of other servers, from callbacks that use other clients, must not look like errors of this one. */
function failure(caller: string, method: string, thrown: unknown): Error {
  if (isOwnRpcError(thrown)) return thrown
  const why = toError(thrown).message
  return new McpError('invalid_argument', `${caller} cannot go on, because the answer to ${method} failed: ${why}`, {
    cause: thrown,
  })
}
