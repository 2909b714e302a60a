import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { JsonObject, RequestId } from '../jsonrpc/message.ts'
import type { LoggingLevel } from '../model/logging.ts'
import { metaKeys } from '../model/meta.ts'
import type { AuthInfo, Caller } from '../server/caller.ts'
import type { Call } from '../server/dispatch/call.ts'
import { RequestExchange } from '../server/dispatch/request-exchange.ts'
import { canSay, readAnswer, withoutHop } from '../wire/passing.ts'
import { type QuestionWait, withoutTimeout } from './question-wait.ts'

/** The parts of a request that are not those of the call. */
export interface RequestPlace {
  readonly method?: string
  readonly line?: object | undefined
}

/** The parts of a request that handlers in front of others may change. */
export interface RequestChanges {
  readonly method?: string
  readonly params?: JsonObject
  readonly input?: Call['input']
}

let callOf: (request: BackendRequest) => Call

/** One request of a client, for a proxy that answers it. */
export class BackendRequest {
  static {
    callOf = (request) => request.#call
  }

  readonly method: string
  /** In the words of the model; `_meta` without the members that are for this hop alone. */
  readonly params: JsonObject
  /** The token of the client's progress notifications, if it wants any. */
  readonly progressToken: unknown
  readonly #call: Call
  readonly #line: object | undefined

  constructor(call: Call, params: JsonObject, { method = call.request.method, line }: RequestPlace = {}) {
    this.#call = call
    this.#line = line
    this.method = method
    this.params = withoutHop(params, metaKeys.progressToken)
    const meta = params._meta as JsonObject | undefined
    // Some peers write null for "none".
    this.progressToken = meta?.[metaKeys.progressToken] ?? undefined
  }

  get id(): RequestId {
    return this.#call.request.id
  }

  get caller(): Caller {
    return this.#call.caller
  }

  get auth(): AuthInfo | undefined {
    return this.#call.caller.auth
  }

  /** Fires when the client cancels or goes away. */
  get signal(): AbortSignal {
    return this.#call.request.signal
  }

  /** The least severe level of log messages that the request asks for, in revisions whose requests do. */
  get logLevel(): LoggingLevel | undefined {
    const { caller } = this.#call
    return caller.conversation.requestedLogLevel(caller)
  }

  /** True if the client opened a session: it can be asked at once, while the request is being answered. */
  get live(): boolean {
    return this.#call.caller.conversation.asksAtOnce
  }

  /** The connection that requests have in common; undefined for one that came alone, as over HTTP. */
  get line(): object | undefined {
    return this.#line ?? (this.#call.outlet instanceof RequestExchange ? undefined : this.#call.outlet)
  }

  /** The answers to `inputRequired` by key, and its state. */
  get input(): Call['input'] {
    return this.#call.input
  }

  /** True once the answer is decided: no more notifications about the request are sent. */
  get settled(): boolean {
    return this.#call.request.settled
  }

  /** Sends a notification where the answer will go, unless only other revisions have it. */
  notify(method: string, params: JsonObject): MaybePromise<void> {
    const { request, outlet, caller } = this.#call
    if (request.settled || !canSay(caller.codec, 'server', method)) return
    return outlet.notify(method, caller.codec.encodeParams(method, params), request)
  }

  /** The same request with another method, other params or other answers: for handlers in front of others. */
  with(changes: RequestChanges): BackendRequest {
    return new ChangedRequest(this, changes)
  }

  /** Asks the client where the answer will go; only if `live`. Nothing is checked, as for `BackendSession.ask`. */
  async ask(method: string, params: JsonObject, wait: QuestionWait = {}): Promise<JsonObject> {
    const { request, outlet, caller } = this.#call
    const asked = caller.codec.encodeParams(method, params)
    return readAnswer(caller.codec, method, await outlet.ask(method, asked, withoutTimeout(wait), request), params)
  }
}

/** A request on its way through handlers. Everything that is not changed stays with the request itself. */
class ChangedRequest extends BackendRequest {
  override readonly progressToken: unknown
  readonly #base: BackendRequest
  readonly #input: Call['input'] | undefined

  constructor(base: BackendRequest, { method = base.method, params = base.params, input }: RequestChanges) {
    super(callOf(base), params, { method, line: base.line })
    this.#base = base
    this.#input = input
    this.progressToken = base.progressToken
  }

  override get signal(): AbortSignal {
    return this.#base.signal
  }

  override get input(): Call['input'] {
    return this.#input ?? this.#base.input
  }

  override notify(method: string, params: JsonObject): MaybePromise<void> {
    return this.#base.notify(method, params)
  }

  override ask(method: string, params: JsonObject, wait?: QuestionWait): Promise<JsonObject> {
    return this.#base.ask(method, params, wait)
  }
}
