import { ErrorCode, RpcError } from '../../errors.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { readTraceContext } from '../../telemetry/trace-context.ts'
import { isWatched } from '../../telemetry/watch.ts'
import type { Codec } from '../../wire/codec.ts'
import { observeAnswer } from '../calls/request-telemetry.ts'
import type { ClientConnection, Terms } from '../connecting/connection.ts'
import type { InputContext } from '../types.ts'
import { notFound } from './answer-errors.ts'
import { prepareElicitation } from './elicitation.ts'
import type { AnswerProvider, InputSources, ReceivedInputRequest } from './input-sources.ts'
import { answerWithRelatedTask } from './related-task.ts'
import { prepareSampling } from './sampling.ts'

type Prepare = (input: ReceivedInputRequest, sources: InputSources) => AnswerProvider

const preparations: ReadonlyMap<string, Prepare> = new Map<string, Prepare>([
  ['ping', () => async () => ({})],
  ['roots/list', (_, { roots }) => roots.prepare()],
  ['sampling/createMessage', prepareSampling],
  ['elicitation/create', prepareElicitation],
])

/** Reads an input request and refuses it if it cannot be answered. No callback runs before the `AnswerProvider`. */
export function prepareAnswer(
  method: string,
  params: JsonObject | undefined,
  { connection, context }: Pick<ReceivedInputRequest, 'connection' | 'context'>,
  sources: InputSources,
  { codec, declared }: Terms = connection.terms,
): AnswerProvider<JsonObject> {
  const prepare = preparations.get(method)
  if (prepare === undefined) throw notFound(method)
  if (method !== 'ping') takeOne(method, sources)
  const ask = prepare({ params: codec.decodeParams(method, params), context, connection, declared }, sources)
  return async () => codec.encodeResult(method, (await ask()) as JsonObject)
}

/** Limits the input requests a minute: people and models answer only so many. */
function takeOne(method: string, { allowance, settings }: InputSources): void {
  const retryAfterMs = allowance?.take() ?? 0
  if (retryAfterMs === 0) return
  const limit = `this client answers ${settings.maxQuestionsPerMinute} questions a minute`
  throw new RpcError(ErrorCode.InternalError, `${method}: ${limit}`, { retryAfterMs })
}

/** Answers a request of the server. */
export function answerRequest(
  request: IncomingRequest,
  connection: ClientConnection,
  sources: InputSources,
): Promise<JsonObject> {
  if (!isWatched('client.answer')) return answer(request, connection, sources)
  return observeAnswer(request, connection.where, () => answer(request, connection, sources))
}

async function answer(
  request: IncomingRequest,
  connection: ClientConnection,
  sources: InputSources,
): Promise<JsonObject> {
  const { codec } = connection
  const { method } = request
  connection.conversation.assertRequestAllowed(request, connection, sources.settings.report)
  const terms = connection.termsOf(method)
  if (terms === undefined) throw notFound(method)
  const context = inputContext(request, connection)
  const ask = prepareAnswer(method, request.params, { connection, context }, sources, terms)
  if (terms.codec !== codec) sources.settings.warn(newerQuestion(method, codec, terms.codec))
  const answer = await ask()
  return codec.tasks === undefined ? answer : answerWithRelatedTask(answer, request.params)
}

const newerQuestion = (method: string, agreed: Codec, offered: Codec): string =>
  `The server asked ${method}, which ${agreed.revision} does not have; it is answered, as this client declared it when it offered ${offered.revision}`

function inputContext(request: IncomingRequest, { server }: ClientConnection): InputContext {
  return {
    get signal() {
      return request.signal
    },
    get trace() {
      return readTraceContext(request.params?._meta)
    },
    revision: server.revision,
    serverInfo: server.info,
  }
}
