import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import type { ReconnectingConnection } from '../connecting/reconnecting-connection.ts'
import type { ChangeSubscriptions } from '../conversation.ts'
import { SubscriptionManager } from '../stateless/subscription-manager.ts'
import type { ChangeKind, ServerDescription } from '../types.ts'
import { ListChangeListeners } from './list-change-listeners.ts'
import { ResourceWatches } from './resource-watches.ts'

/** Sends a request on behalf of a subscription. */
type SendRequest = (method: string, params: JsonObject) => Promise<unknown>

const kinds: readonly ChangeKind[] = ['tools', 'resources', 'prompts']

/** Changes of lists and resources at the server, and those who listen to them. */
export class ServerChanges implements ChangeSubscriptions {
  readonly lists: ListChangeListeners
  readonly watches: ResourceWatches
  readonly subscriptions: SubscriptionManager
  readonly call: SendRequest
  readonly #connection: ReconnectingConnection
  readonly #forget: () => void

  /** Given a function that discards all that was kept of the server. */
  constructor(connection: ReconnectingConnection, call: SendRequest, forget: () => void) {
    const { report } = connection.settings
    const lists = new ListChangeListeners(report)
    this.call = call
    this.#connection = connection
    this.#forget = forget
    this.lists = lists
    this.subscriptions = new SubscriptionManager(connection, ({ server }) => changedFields(lists, server))
    this.watches = new ResourceWatches({
      subscribe: (uri) => this.#subscribe(uri),
      unsubscribe: (uri) => this.#unsubscribe(uri),
      report,
    })
    this.subscriptions.onMissed(() => this.missed())
    void connection.closed.then(() => this.close())
  }

  onChange(kind: ChangeKind, listener: () => void, { conversation, server }: ClientConnection): () => void {
    const stop = this.lists.on(kind, listener)
    const { warn } = this.#connection.settings
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
    this.#forget()
    for (const kind of kinds) this.lists.emit(kind)
  }

  close(): void {
    this.subscriptions.close()
  }

  async #subscribe(uri: string): Promise<unknown> {
    const { conversation, server } = await this.#connection.current()
    return conversation.subscribe(uri, this, server)
  }

  async #unsubscribe(uri: string): Promise<unknown> {
    const { conversation } = await this.#connection.current()
    return conversation.unsubscribe(uri, this)
  }
}

/** A server without a feature has no list of it that could change. */
const changedFields = ({ kinds }: ListChangeListeners, { capabilities }: ServerDescription): string[] =>
  kinds.filter((kind) => capabilities[kind] !== undefined).map((kind) => `${kind}ListChanged`)
