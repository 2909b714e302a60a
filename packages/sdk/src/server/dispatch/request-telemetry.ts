import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { ChannelInfo } from '../../jsonrpc/channel.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject, RequestId } from '../../jsonrpc/message.ts'
import type { RequestEvent, Whereabouts } from '../../telemetry/events.ts'
import { requestSubject } from '../../telemetry/request-subject.ts'
import { readTraceContext, type TraceContext } from '../../telemetry/trace-context.ts'
import { type Outcome, runObserved } from '../../telemetry/watch.ts'
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
export const watchCall = ({ request, caller, outlet }: Call, answer: () => Answer): Answer =>
  watchServerRequest(request, serverWhereabouts(caller.connection, caller, outlet.about), answer)

/** Answers a request in front of telemetry; its caller may still be unknown. */
export function watchServerRequest(request: IncomingRequest, where: Whereabouts, answer: () => Answer): Answer {
  const event = new ServerRequestEvent(request, where)
  return runObserved(event, answer, (outcome) => noteEnd(request, event, outcome))
}

/** A class, because a getter of its own gives every object a shape of its own, which costs more than all the rest. */
class ServerRequestEvent implements RequestEvent {
  readonly kind = 'server.request'
  readonly method: string
  readonly id: RequestId
  readonly name: string | undefined
  readonly uri: string | undefined
  revision: Whereabouts['revision']
  readonly peer: Whereabouts['peer']
  readonly transport: string | undefined
  readonly session: string | undefined
  trace: TraceContext | undefined
  declare durationMs?: number
  declare errorType?: string
  readonly #request: IncomingRequest

  constructor(request: IncomingRequest, { revision, peer, transport, session }: Whereabouts) {
    const { id, method, params } = request
    const { name, uri } = requestSubject(method, params)
    this.method = method
    this.id = id
    this.name = name
    this.uri = uri
    this.revision = revision
    this.peer = peer
    this.transport = transport
    this.session = session
    this.trace = readTraceContext(params?._meta)
    this.#request = request
  }

  /** As long as the request has them: one that stands open gives them up. */
  get params(): unknown {
    return this.#request.params
  }
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
function noteEnd(request: IncomingRequest, event: RequestEvent, outcome: Outcome): void {
  if ('thrown' in outcome) event.errorType = String(toWireError(outcome.thrown, () => '').code)
  if (request.cancelled) event.errorType = 'cancelled'
}
