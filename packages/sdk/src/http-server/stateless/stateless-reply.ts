import { isRpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Request } from '../../jsonrpc/message.ts'
import type { ConnectionInfo } from '../../server/caller.ts'
import type { Dispatcher } from '../../server/dispatch/dispatcher.ts'
import { RequestExchange } from '../../server/dispatch/request-exchange.ts'
import { callerFrom } from '../../server/stateless/request-meta.ts'
import type { OpenSubscriptions } from '../../server/subscriptions/open-subscriptions.ts'
import { refuseRequest } from '../checks/refusal.ts'
import { ExchangeReply } from '../exchange-reply.ts'
import type { HttpExchange } from '../http-transport.ts'
import type { KeepAliveTimer } from '../keep-alive.ts'
import type { ResponseMode } from '../options.ts'
import { type CheckedRequest, calledTool, checkArguments, checkHeaders, statusOf } from './stateless-checks.ts'

/** The parts of an endpoint that all stateless requests share. */
export interface StatelessContext {
  readonly dispatcher: Dispatcher
  readonly keepAlive: KeepAliveTimer
  readonly listens: OpenSubscriptions
}

interface StatelessPost {
  readonly context: StatelessContext
  readonly exchange: HttpExchange
  readonly message: Request
  readonly mode: ResponseMode
  readonly info: ConnectionInfo
}

/** Answers one stateless request. Returns a promise if the answer is not complete yet. */
export function answerStateless(
  context: StatelessContext,
  exchange: HttpExchange,
  message: Request,
  mode: ResponseMode,
): MaybePromise<void> {
  const { request, auth } = exchange
  const info: ConnectionInfo = auth === undefined ? { transport: 'http' } : { transport: 'http', auth }
  const { definition } = context.dispatcher
  try {
    const checked = { meta: checkHeaders(message, request), tool: calledTool(definition, message) }
    const checking = checkArguments(definition, checked, message, request, info)
    const post = { context, exchange, message, mode, info }
    if (checking === undefined) return run(post, checked)
    return checking.then(() => run(post, checked)).catch((error: unknown) => refuseWith(error, exchange, message))
  } catch (error) {
    refuseWith(error, exchange, message)
  }
}

function refuseWith(error: unknown, exchange: HttpExchange, message: Request): void {
  if (!isRpcError(error)) throw error
  const status = statusOf(error.code) === 404 ? 404 : 400
  refuseRequest(exchange.reply, { status, error: error.toWire(), id: message.id }, exchange.headers)
}

/** Throws, before anything else happens, if the server does not speak the version of the request. */
function run(
  { context, exchange, message, mode, info }: StatelessPost,
  { meta, tool }: CheckedRequest,
): MaybePromise<void> {
  const { dispatcher, keepAlive, listens } = context
  const { definition } = dispatcher
  const { id, method } = message
  const caller = callerFrom(definition, meta, info)
  const reply = new ExchangeReply({ exchange, definition, keepAlive, mode, id, method, statusOf })
  return reply.run(new RequestExchange(dispatcher, message, reply, caller, { listens, tool }))
}
