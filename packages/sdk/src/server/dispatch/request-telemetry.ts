import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { ChannelInfo } from '../../jsonrpc/channel.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { RequestEvent, Whereabouts } from '../../telemetry/events.ts'
import { requestSubject } from '../../telemetry/request-subject.ts'
import { readTraceContext, type TraceContext } from '../../telemetry/trace-context.ts'
import { runObserved } from '../../telemetry/watch.ts'
import type { Caller, ConnectionInfo } from '../caller.ts'
import type { Call } from './call.ts'
import { toWireError } from './wire-error.ts'

type Answer = MaybePromise<JsonObject>

export const serverWhereabouts = (
  { transport }: ConnectionInfo,
  caller: Caller | undefined,
  about: ChannelInfo | undefined,
): Whereabouts => ({ revision: caller?.revision, peer: caller?.client, transport, session: about?.session })

/** Answers a call in front of telemetry. */
export const watchCall = ({ request, caller, outlet }: Call, answer: () => Answer): Promise<JsonObject> =>
  watchServerRequest(request, serverWhereabouts(caller.connection, caller, outlet.about), answer)

/** Answers a request in front of telemetry; its caller may still be unknown. */
export function watchServerRequest(
  request: IncomingRequest,
  where: Whereabouts,
  answer: () => Answer,
): Promise<JsonObject> {
  const { id, method, params } = request
  const trace = readTraceContext(params?._meta)
  const event: RequestEvent = {
    kind: 'server.request',
    method,
    id,
    ...requestSubject(method, params),
    // As long as the request has them: one that stands open gives them up.
    get params() {
      return request.params
    },
    ...where,
    trace,
  }
  return runObserved(event, () => settled(request, event, answer))
}

/** Asks the client in front of telemetry, which may set the trace of the question. */
export function watchAsk(
  question: Pick<RequestEvent, 'id' | 'method' | 'trace'> & { params: JsonObject },
  where: Whereabouts,
  send: (trace: TraceContext | undefined) => Promise<JsonObject>,
): Promise<JsonObject> {
  const event: RequestEvent = { kind: 'server.ask', name: undefined, uri: undefined, ...question, ...where }
  return runObserved(event, () => send(event.trace))
}

/** The type of an error is the code that the client gets. */
async function settled(request: IncomingRequest, event: RequestEvent, answer: () => Answer): Promise<JsonObject> {
  try {
    return await answer()
  } catch (thrown) {
    event.errorType = String(toWireError(thrown, () => '').code)
    throw thrown
  } finally {
    if (request.cancelled) event.errorType = 'cancelled'
  }
}
