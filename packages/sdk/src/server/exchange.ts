import { McpError } from '../errors.ts'
import { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, Message, Request } from '../jsonrpc/message.ts'
import type { Sink } from '../transport/channel.ts'
import { Call } from './call.ts'
import type { CallerState, ConnectionInfo } from './caller.ts'
import type { Outlet } from './context.ts'
import type { Dispatcher } from './dispatch.ts'
import { callerOf } from './era.ts'
import type { Listens } from './subscriptions/listens.ts'
import { toWireError } from './wire-error.ts'

/** One self-contained request on its way. */
export interface Exchange {
  /** Resolves when the answer has been handed to the sink, or when there will be none. */
  readonly done: Promise<void>
  /** Whoever asked is gone: stop working, send nothing more. */
  cancel(reason: string): void
}

/**
 * Answers one self-contained request, without any connection: what the handler reports goes into the sink, and the
 * answer last. Throws an `RpcError` if the request does not say for itself who is asking.
 */
export function exchange(
  dispatcher: Dispatcher,
  message: Request,
  sink: Sink,
  info: ConnectionInfo,
  listens: Listens,
): Exchange {
  const { definition } = dispatcher
  const request = new IncomingRequest(message, sink)
  const caller = callerOf(definition, request.params ?? {}, info)
  const send = (payload: Message): void | Promise<void> => {
    if (!request.cancelled) return sink.send(payload)
  }
  return {
    done: answer(dispatcher, request, caller, outletOf(send, listens)).then(async (response) => {
      if (definition.makesContexts) caller.dispose((error) => definition.report(error, 'context'))
      request.settle()
      await send(response)
    }),
    cancel: (reason) => request.cancel(new McpError('cancelled', reason)),
  }
}

async function answer(
  dispatcher: Dispatcher,
  request: IncomingRequest,
  caller: CallerState,
  outlet: Outlet,
): Promise<Message> {
  const { id } = request
  try {
    return { jsonrpc: '2.0', id, result: await dispatcher.answer(new Call(request, caller, outlet)) }
  } catch (thrown) {
    const report = (cause: unknown): string => dispatcher.definition.report(cause, request.method)
    return { jsonrpc: '2.0', id, error: toWireError(thrown, report) }
  }
}

/** Notifications go out with the request; questions are not asked where there is no connection. */
const outletOf = (send: (payload: Message) => void | Promise<void>, listens: Listens): Outlet => ({
  askTimeoutMs: 0,
  listens,
  notify: (method: string, params: JsonObject) => send({ jsonrpc: '2.0', method, params }),
  ask: (method) => Promise.reject(new McpError('unsupported', `${method} cannot be asked without a connection`)),
})
