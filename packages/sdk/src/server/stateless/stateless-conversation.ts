import { ErrorCode, RpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { serverInfoMeta, serverInfoOf, withServerInfo } from '../../wire/server-info.ts'
import type { ServerConversation } from '../conversation.ts'
import { lazyQuestions } from '../questions/lazy-questions.ts'
import { Round, type RoundCall, startRound } from '../questions/round.ts'
import type { StateServer } from './state-seal.ts'

/** Every request describes its caller, and the server only answers: a question is a result, and the handler runs again. */
export const serverStatelessConversation: ServerConversation = {
  asksAtOnce: false,
  perform(call, server, params, handler) {
    if (typeof params.requestState === 'string') return resume(call, server, params, handler)
    return startRound(call, new Round(server, params)).finish(handler(call, server, params))
  },
  identify: withServerInfo,
  passOn(result, method, server) {
    const from = serverInfoOf(result)
    if (method === 'server/discover') return withServerInfo(result, serverInfoMeta(from!))
    const { name, version } = from ?? server
    return withServerInfo(result, serverInfoMeta({ name, version }))
  },
  requestedLogLevel: ({ logLevel }) => logLevel,
  refuseQuestion(missing, requiredCapabilities) {
    const problem = `This request needs the client capability ${missing}`
    throw new RpcError(ErrorCode.MissingRequiredClientCapability, problem, { requiredCapabilities })
  },
  undeclaredExtension: (problem, id) =>
    new RpcError(ErrorCode.MissingRequiredClientCapability, problem, {
      requiredCapabilities: { extensions: { [id]: {} } },
    }),
}

function resume<C extends RoundCall, S extends StateServer>(
  call: C,
  server: S,
  params: JsonObject,
  handler: (call: C, server: S, params: JsonObject) => MaybePromise<JsonObject>,
): Promise<JsonObject> {
  return lazyQuestions(({ withRequestState }) =>
    withRequestState(call, server, params, async ({ memory }) =>
      startRound(call, new Round(server, params, memory)).finish(handler(call, server, params)),
    ),
  )
}
