import { ErrorCode } from '../../errors.ts'
import type { ChannelInfo } from '../../jsonrpc/channel.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject, RequestId } from '../../jsonrpc/message.ts'
import type { RequestEvent, Whereabouts } from '../../telemetry/events.ts'
import { requestSubject } from '../../telemetry/request-subject.ts'
import { readTraceContext, type TraceContext } from '../../telemetry/trace-context.ts'
import { type Outcome, runObserved } from '../../telemetry/watch.ts'
import type { Codec } from '../../wire/codec.ts'
import { isOwnRpcError } from '../input/answer-errors.ts'
import type { ServerDescription } from '../types.ts'

export const clientWhereabouts = (
  { revision }: Codec,
  server: ServerDescription | undefined,
  about: ChannelInfo | undefined,
): Whereabouts => ({
  revision,
  peer: server?.info,
  transport: about?.transport,
  session: about?.session,
  address: about?.address,
  port: about?.port,
})

/** Makes a request under observation: observers may add a trace context. */
export function observeRequest(
  id: RequestId,
  method: string,
  params: JsonObject,
  where: Whereabouts,
  send: (trace: TraceContext | undefined) => Promise<JsonObject>,
): Promise<JsonObject> {
  const target = requestSubject(method, params)
  const event: RequestEvent = { kind: 'client.request', method, id, ...target, params, ...where, trace: undefined }
  return runObserved(event, () => send(event.trace))
}

/** Answers a request of the server under observation. */
export function observeAnswer(
  request: IncomingRequest,
  where: Whereabouts,
  answer: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const { id, method, params } = request
  const trace = readTraceContext(params?._meta)
  const event: RequestEvent = {
    kind: 'client.answer',
    method,
    id,
    name: undefined,
    uri: undefined,
    params,
    ...where,
    trace,
  }
  return runObserved(event, answer, (outcome) => noteEnd(request, event, outcome))
}

/** The error type is the code that the server gets. */
function noteEnd(request: IncomingRequest, event: RequestEvent, outcome: Outcome): void {
  if ('thrown' in outcome) {
    event.errorType = String(isOwnRpcError(outcome.thrown) ? outcome.thrown.code : ErrorCode.InternalError)
  }
  if (request.cancelled) event.errorType = 'cancelled'
}
