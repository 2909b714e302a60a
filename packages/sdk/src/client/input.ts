import { McpError, type RpcError } from '../errors.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Connection } from './connection.ts'
import { answerElicitation } from './elicitation.ts'
import { type InputRequest, type InputSources, notFound } from './input-request.ts'
import type { Settings } from './options.ts'
import { answerSampling } from './sampling.ts'
import type { InputContext } from './types.ts'

type Answer = (input: InputRequest, sources: InputSources) => Promise<object> | object

const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['ping', () => ({})],
  ['roots/list', (_, { roots }) => roots.answer()],
  ['sampling/createMessage', answerSampling],
  ['elicitation/create', answerElicitation],
])

/** Answers a request of the server. */
export async function answerRequest(
  request: IncomingRequest,
  connection: Connection,
  sources: InputSources,
): Promise<JsonObject> {
  const { codec } = connection
  const { method } = request
  if (!codec.handshake) throw withdrawForbidden(request, connection, sources.settings)
  const answer = answers.get(method)
  if (answer === undefined || !codec.requests.server.has(method)) throw notFound(method)
  const params = codec.decodeParams(method, request.params)
  const result = await answer({ params, context: inputContext(request, connection), connection }, sources)
  return codec.encodeResult(method, result as JsonObject)
}

function inputContext(request: IncomingRequest, { server }: Connection): InputContext {
  return {
    get signal() {
      return request.signal
    },
    revision: server.revision,
    serverInfo: server.info,
  }
}

// Without a handshake servers send no requests, and clients no responses: not even a refusal.
function withdrawForbidden({ id, method }: IncomingRequest, { peer, codec }: Connection, settings: Settings): RpcError {
  const message = `The server sent the request ${method}, which servers of ${codec.revision} must not do; it gets no answer`
  peer.cancelIncoming(id, message)
  settings.report(new McpError('invalid_result', message))
  return notFound(method)
}
