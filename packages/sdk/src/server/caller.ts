import type { Hold } from '../budget.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { LoggingLevel } from '../model/logging.ts'
import type { Implementation } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'
import type { Codec } from '../wire/codec.ts'

/** Who is authenticated on a connection, where the transport knows. */
export interface AuthInfo {
  /** Identifies the caller; two callers with the same principal may see each other's state. */
  principal: string
  scopes?: readonly string[]
  [claim: string]: unknown
}

/**
 * What a transport knows about a connection before the first message. There is one object per connection, so it can be
 * the key of a `WeakMap` for whatever belongs to the connection.
 */
export interface ConnectionInfo {
  /** `stdio`, `memory`, … */
  transport: string
  auth?: AuthInfo
}

/** The client behind a request, as handlers, visibility rules and the `context` function see it. */
export interface Caller {
  /** Self-reported: fit for logs, not for decisions. */
  readonly client: Implementation | undefined
  readonly capabilities: ClientCapabilities
  readonly revision: Revision
  readonly connection: ConnectionInfo
  readonly auth: AuthInfo | undefined
}

/** A caller with what the library keeps about it: one per connection in the handshake era, one per request after. */
export class CallerState implements Caller {
  readonly codec: Codec
  client: Implementation | undefined
  readonly capabilities: ClientCapabilities
  readonly connection: ConnectionInfo
  /** Undefined means: no log messages. */
  logLevel: LoggingLevel | undefined
  /** The resources that were subscribed to, if any ever were. */
  subscriptions: Set<string> | undefined
  /** What these take of the server's budget. */
  keptSubscriptions: Hold | undefined
  /** User contexts by the server that made them; a mounted server makes its own. */
  #contexts: Map<object, unknown> | undefined

  constructor(
    codec: Codec,
    who: { client?: Implementation | undefined; capabilities: ClientCapabilities; logLevel?: LoggingLevel | undefined },
    connection: ConnectionInfo,
  ) {
    this.codec = codec
    this.client = who.client
    this.capabilities = who.capabilities
    this.logLevel = who.logLevel
    this.connection = connection
  }

  get revision(): Revision {
    return this.codec.revision
  }

  /** The user context for a server, made when it is first asked for. */
  contextFor(server: object, make: (caller: Caller) => unknown): unknown {
    this.#contexts ??= new Map()
    if (!this.#contexts.has(server)) this.#contexts.set(server, make(this))
    return this.#contexts.get(server)
  }

  get hasContexts(): boolean {
    return this.#contexts !== undefined
  }

  /** Ends the user contexts that can be ended. */
  dispose(report: (error: unknown) => void): void {
    for (const made of this.#contexts?.values() ?? []) void disposeOf(made).catch(report)
    this.#contexts = undefined
    this.keptSubscriptions?.release()
  }

  get auth(): AuthInfo | undefined {
    return this.connection.auth
  }
}

async function disposeOf(made: unknown): Promise<void> {
  const context = (await made) as Partial<AsyncDisposable & Disposable> | null | undefined
  if (typeof context !== 'object' || context === null) return
  await (context[Symbol.asyncDispose]?.() ?? context[Symbol.dispose]?.())
}
