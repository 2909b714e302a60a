import type { RpcError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { LoggingLevel } from '../model/logging.ts'
import type { Implementation } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'
import type { Codec } from '../wire/codec.ts'
import type { ConnectionInfo } from './caller.ts'
import type { CallerState } from './caller-state.ts'
import type { RoundCall } from './questions/round.ts'
import type { StateServer } from './stateless/state-seal.ts'

/**
 * Everything that differs between a client with a session, a client whose requests describe themselves, and a client that
 * wants a session and gets none: `session/`, `stateless/` and `sessionless/` implement it.
 */
export interface ServerConversation {
  /** True if the client can be asked while its request is answered. */
  readonly asksAtOnce: boolean
  /** Runs a handler that may ask the client: at once, or with its result. */
  perform<C extends RoundCall, S extends StateServer>(
    call: C,
    server: S,
    params: JsonObject,
    handler: (call: C, server: S, params: JsonObject) => MaybePromise<JsonObject>,
  ): MaybePromise<JsonObject>
  /** A result with the name of the server that it is from, if results have it. */
  identify(result: JsonObject, server: Readonly<JsonObject>): JsonObject
  /** A result of another server, as it is passed on by the server with this name. */
  passOn(result: JsonObject, method: string, server: Implementation): JsonObject
  /** The level of log messages that a request itself asks for. */
  requestedLogLevel(caller: { readonly logLevel: LoggingLevel | undefined }): LoggingLevel | undefined
  /** Refuses to ask a client that did not declare the capability. */
  refuseQuestion(missing: string, required: ClientCapabilities): never
  /** The refusal of a method whose extension the client did not declare; undefined if it may be used all the same. */
  undeclaredExtension(problem: string, id: string): RpcError | undefined
}

/** How requests of one conversation come in on a connection. */
export interface ConversationOpening {
  /** Answers a request; undefined if it belongs to no conversation of this kind. */
  receive(request: IncomingRequest, connection: ConversationHost): MaybePromise<JsonObject> | undefined
  /** The reason for which a request does not belong; undefined if the server has no revision of this kind. */
  unopened(server: SpokenRevisions): string | undefined
}

/** The revisions of a server. */
export interface SpokenRevisions {
  readonly revisions: readonly Revision[]
  /** Those that open with `initialize`. */
  readonly sessionRevisions: readonly Revision[]
  /** Those whose requests describe their callers. */
  readonly statelessRevisions: readonly Revision[]
  readonly logs: boolean
  /** The codec of a revision, if this server speaks it. */
  codec(revision: unknown): Codec | undefined
}

/** The connection that requests come on. */
export interface ConversationHost {
  readonly definition: SpokenRevisions
  readonly info: ConnectionInfo
  /** Answers for a caller that exists for one request. */
  answerOnce(request: IncomingRequest, caller: CallerState): MaybePromise<JsonObject>
  /** Answers `initialize`. */
  openSession(request: IncomingRequest): MaybePromise<JsonObject>
  /** Answers in the session of the connection; undefined before there is one. */
  answerInSession(request: IncomingRequest): MaybePromise<JsonObject> | undefined
}
