import { httpDefaults } from '../../http-client/http-options.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import type { ClientSettings } from '../options.ts'
import { SubscriptionManager } from '../stateless/subscription-manager.ts'
import type { ChangeKind } from '../types.ts'
import { ListChangeListeners } from './list-change-listeners.ts'
import { ResourceWatches } from './resource-watches.ts'

export interface ServerChangesHooks {
  settings: ClientSettings
  /** The connection in use. Throws when there will be none any more. */
  connection(): ClientConnection | Promise<ClientConnection>
  call(method: string, params: JsonObject): Promise<unknown>
  /** Discards all that was kept of the server. */
  forget(): void
}

const kinds: readonly ChangeKind[] = ['tools', 'resources', 'prompts']

/** Changes of lists and resources at the server, and those who listen to them. */
export class ServerChanges {
  readonly lists: ListChangeListeners
  readonly watches: ResourceWatches
  readonly subscriptions: SubscriptionManager
  readonly call: ServerChangesHooks['call']
  readonly #hooks: ServerChangesHooks

  constructor(hooks: ServerChangesHooks) {
    const { report, warn, peer, httpLimits } = hooks.settings
    const { reconnectMs, maxReconnectMs } = { ...httpDefaults, ...httpLimits }
    this.#hooks = hooks
    this.call = hooks.call
    this.lists = new ListChangeListeners(report)
    this.watches = new ResourceWatches({
      subscribe: (uri) => this.#subscribe(uri),
      unsubscribe: (uri) => this.#unsubscribe(uri),
      report,
    })
    this.subscriptions = new SubscriptionManager(
      {
        connection: () => hooks.connection(),
        fields: (connection) => this.#fields(connection),
        missed: () => this.missed(),
        report,
        warn,
      },
      { patienceMs: peer.timeoutMs, reconnectMs, maxReconnectMs },
    )
  }

  onChange(kind: ChangeKind, listener: () => void, { conversation, server }: ClientConnection): () => void {
    const stop = this.lists.on(kind, listener)
    const { warn } = this.#hooks.settings
    if (!conversation.announces(kind, server))
      warn(`onChange(${JSON.stringify(kind)}): the server announces no such changes`)
    conversation.refresh(this)
    return () => {
      stop()
      conversation.refresh(this)
    }
  }

  /** A new server process, or a new session, knows no subscriptions. */
  renew({ conversation }: ClientConnection): Promise<void> {
    return conversation.resubscribe(this)
  }

  /** Changes may have gone unannounced for some time. */
  missed(): void {
    this.outdated()
    this.watches.missed()
  }

  /** All lists, and results that were kept, may be out of date. */
  outdated(): void {
    this.#hooks.forget()
    for (const kind of kinds) this.lists.emit(kind)
  }

  close(): void {
    this.subscriptions.close()
  }

  async #subscribe(uri: string): Promise<unknown> {
    const { conversation, server } = await this.#hooks.connection()
    return conversation.subscribe(uri, this, server)
  }

  async #unsubscribe(uri: string): Promise<unknown> {
    const { conversation } = await this.#hooks.connection()
    return conversation.unsubscribe(uri, this)
  }

  /** A server without a feature has no list of it that could change. */
  #fields({ server }: ClientConnection): string[] {
    const offered = this.lists.kinds.filter((kind) => server.capabilities[kind] !== undefined)
    return offered.map((kind) => `${kind}ListChanged`)
  }
}
