import type { Hold } from '../internal/budget.ts'
import type { AuthInfo } from '../jsonrpc/auth-info.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { LoggingLevel } from '../model/logging.ts'
import type { Implementation } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'
import type { Codec } from '../wire/codec.ts'
import type { Caller, ConnectionInfo } from './caller.ts'
import type { ServerConversation } from './conversation.ts'
import { endWatches } from './subscriptions/end-watches.ts'
import { type ContextSet, UserContexts } from './user-contexts.ts'

/** The description that a caller gives of itself. */
interface SelfDescription {
  readonly client?: Implementation | undefined
  readonly capabilities: ClientCapabilities
  readonly logLevel?: LoggingLevel | undefined
}

/** The resources that a session subscribed to, and their share in the server's budget. */
interface ResourceSubscriptions {
  readonly uris: Set<string>
  /** Ends the watching of each, where something has to be ended. */
  readonly watches: Map<string, () => void>
  readonly hold: Hold
}

/**
 * A caller with the state that the library keeps about it. A session has one for as long as it lasts; a request that comes with a
 * token of its own has another, which shares the state of the session and nothing of its authority.
 */
export class CallerState implements Caller {
  readonly codec: Codec
  /** How one talks with this caller. */
  readonly conversation: ServerConversation
  client: Implementation | undefined
  readonly capabilities: ClientCapabilities
  readonly connection: ConnectionInfo
  readonly auth: AuthInfo | undefined
  /** The caller whose state this one shares: itself, unless `as` made it. */
  readonly session: CallerState
  #logLevel: LoggingLevel | undefined
  #subscriptions: ResourceSubscriptions | undefined
  /** Made with the first user context; kept by the session. */
  #contexts: UserContexts | undefined
  /** The user contexts that this caller uses. */
  #used: ContextSet | undefined

  constructor(
    codec: Codec,
    conversation: ServerConversation,
    who: SelfDescription,
    connection: ConnectionInfo,
    auth: AuthInfo | undefined = connection.auth,
    session?: CallerState,
  ) {
    this.codec = codec
    this.conversation = conversation
    this.client = who.client
    this.capabilities = who.capabilities
    this.connection = connection
    this.auth = auth
    this.session = session ?? this
    if (session === undefined) this.#logLevel = who.logLevel
  }

  get revision(): Revision {
    return this.codec.revision
  }

  /** Undefined means: no log messages. */
  get logLevel(): LoggingLevel | undefined {
    return this.session.#logLevel
  }

  set logLevel(level: LoggingLevel | undefined) {
    this.session.#logLevel = level
  }

  /** The resources that were subscribed to, if any ever were. */
  get subscriptions(): ResourceSubscriptions | undefined {
    return this.session.#subscriptions
  }

  set subscriptions(made: ResourceSubscriptions | undefined) {
    this.session.#subscriptions = made
  }

  /** The caller of a request that came with this token. Without one, the connection as a whole is authenticated. */
  as(auth: AuthInfo | undefined): CallerState {
    if (auth === undefined || auth === this.auth) return this
    return new CallerState(this.codec, this.conversation, this, this.connection, auth, this.session)
  }

  /** The user context for a server, made when it is first asked for; a mounted server makes its own. */
  contextFor(server: object, make: (caller: Caller) => unknown): unknown {
    if (this.#used === undefined) {
      const { session } = this
      session.#contexts ??= new UserContexts()
      this.#used = session.#contexts.use(this.auth)
    }
    const { made } = this.#used
    if (!made.has(server)) made.set(server, make(this))
    return made.get(server)
  }

  get hasContexts(): boolean {
    return this.#used !== undefined
  }

  /** Ends the user contexts of a session, or of a caller without one. A caller made by `as` only stops to use them. */
  dispose(report: (error: unknown) => void): void {
    const used = this.#used
    this.#used = undefined
    if (this.session === this) {
      this.#contexts?.dispose(report)
      this.#endSubscriptions(report)
    } else if (used !== undefined) this.session.#contexts!.leave(used, report)
  }
  #endSubscriptions(report: (error: unknown) => void): void {
    const kept = this.#subscriptions
    if (kept === undefined) return
    // Emptied, so that a subscription that is still being made finds that nobody wants it any more.
    kept.uris.clear()
    endWatches(kept.watches.values(), report)
    kept.watches.clear()
    kept.hold.release()
  }
}

/** True if the client opened a session, which its requests have in common. */
export const hasSession = (caller: Caller): boolean =>
  !(caller instanceof CallerState) || caller.conversation.asksAtOnce
