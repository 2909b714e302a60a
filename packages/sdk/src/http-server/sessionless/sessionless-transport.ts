import { ErrorCode } from '../../errors.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Sink } from '../../jsonrpc/channel.ts'
import { classify, isObject } from '../../jsonrpc/classify.ts'
import type { Request, RequestId } from '../../jsonrpc/message.ts'
import { refuseBatchOf } from '../../jsonrpc/peer-options.ts'
import type { Revision } from '../../model/revision.ts'
import type { ConnectionInfo } from '../../server/caller.ts'
import type { Definition } from '../../server/definition/definition.ts'
import type { Dispatcher } from '../../server/dispatch/dispatcher.ts'
import { RequestExchange } from '../../server/dispatch/request-exchange.ts'
import { answerSessionless } from '../../server/sessionless/answer-sessionless.ts'
import { sessionlessCaller } from '../../server/sessionless/sessionless-caller.ts'
import { codecFor } from '../../wire/codecs.ts'
import { assumedVersion } from '../../wire/over-http.ts'
import { responseMode } from '../checks/accept.ts'
import { refuseMessage } from '../checks/message-check.ts'
import { type HttpRefusal, idOfRequest, refusal, refuseRequest, withRequestId } from '../checks/refusal.ts'
import { ExchangeReply } from '../exchange-reply.ts'
import type { HttpTransport, PostExchange, TransportContext } from '../http-transport.ts'
import type { KeepAliveTimer } from '../keep-alive.ts'
import { answeredMembers, BatchExchange } from './batch-exchange.ts'

/**
 * Streamable HTTP of the revisions with a handshake, for servers that give no sessions: every POST is answered without
 * any earlier one, so that any of many instances can answer it.
 */
export class SessionlessTransport implements HttpTransport {
  readonly allow = 'POST'
  readonly why = 'this server gives no sessions, so there is no stream to open and no session to end'
  readonly open = {}
  readonly #dispatcher: Dispatcher
  readonly #keepAlive: KeepAliveTimer
  readonly #ssePath: string | undefined

  constructor({ dispatcher, settings, keepAlive }: TransportContext) {
    this.#dispatcher = dispatcher
    this.#keepAlive = keepAlive
    this.#ssePath = settings.ssePath
  }

  get #definition(): Definition {
    return this.#dispatcher.definition
  }

  owns(): boolean {
    return true
  }

  answersAnywhere(request: HttpRequest): boolean {
    return request.target.path !== this.#ssePath
  }

  post(post: PostExchange, message: unknown): MaybePromise<void> {
    const revision = this.#revisionOf(post.request, message)
    const refused = typeof revision === 'string' ? this.#refuse(message, revision) : revision
    if (refused === undefined) return this.#answer(post, message, revision as Revision)
    refuseRequest(post.reply, withRequestId(refused.id ?? idOfRequest(message), refused), post.headers)
  }

  #answer(post: PostExchange, message: unknown, revision: Revision): MaybePromise<void> {
    const start = this.#starter(post, revision)
    if (Array.isArray(message)) {
      const report = (error: unknown): string => this.#definition.report(error, 'http')
      const members = answeredMembers(message, report)
      if (members.length === 0) return accept(post)
      const reply = this.#reply(post, 'batch', undefined)
      return reply.run(new BatchExchange(members, reply, start, report))
    }
    // A notification has nobody to reach: a cancelled request may be one of another client, or of another process.
    if (classify(message) === 'notification') return accept(post)
    const { id, method } = message as Request
    const reply = this.#reply(post, method, id)
    return reply.run(start(message as Request, reply))
  }

  #starter({ auth }: PostExchange, revision: Revision): (message: Request, sink: Sink) => RequestExchange {
    const info: ConnectionInfo = auth === undefined ? { transport: 'http' } : { transport: 'http', auth }
    return (message, sink) => {
      const caller = sessionlessCaller(this.#definition, revision, info)
      return new RequestExchange(this.#dispatcher, message, sink, caller, { answer: answerSessionless })
    }
  }

  #reply(exchange: PostExchange, method: string, id: RequestId | undefined): ExchangeReply {
    const mode = responseMode(exchange)
    return new ExchangeReply({
      exchange,
      definition: this.#definition,
      keepAlive: this.#keepAlive,
      mode,
      id,
      method,
      statusOf,
    })
  }

  /** The revision to answer in. The one of `initialize` is agreed on in its body. */
  #revisionOf(request: HttpRequest, message: unknown): Revision | HttpRefusal {
    const { sessionRevisions } = this.#definition
    const { method, params } = (isObject(message) ? message : {}) as Partial<Request>
    if (method === 'initialize')
      return sessionRevisions.find((each) => each === params?.protocolVersion) ?? sessionRevisions.at(-1)!
    const named = request.header('mcp-protocol-version')
    const version = named ?? assumedVersion
    return sessionRevisions.find((each) => each === version) ?? unsupported(named === undefined, sessionRevisions)
  }

  #refuse(message: unknown, revision: Revision): HttpRefusal | undefined {
    const kind = classify(message)
    if (kind === 'result' || kind === 'error') return nothingAsked
    const { batches } = codecFor(revision)
    const { maxBatch } = this.#dispatcher.peerOptions
    return refuseMessage(message, { refuseBatch: (messages) => refuseBatchOf(messages, batches, maxBatch) })
  }
}

const accept = ({ reply, headers }: PostExchange): void => reply.send(202, { ...headers })

function unsupported(missing: boolean, revisions: readonly string[]): HttpRefusal {
  const problem = missing
    ? `MCP-Protocol-Version is missing, which means ${assumedVersion}, and this server does not speak that`
    : 'unsupported MCP-Protocol-Version'
  return refusal(400, `Bad request: ${problem} (supported: ${revisions.join(', ')})`)
}

const nothingAsked = refusal(400, 'Invalid request: this server gives no sessions, so it has asked nothing')

const statusOf = (code: number): number => (code === ErrorCode.InsufficientScope ? 403 : 200)
