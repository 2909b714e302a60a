import { McpError } from '../../errors.ts'
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
  /** What was kept may be out of date. */
  forget(): void
}

const kinds: readonly ChangeKind[] = ['tools', 'resources', 'prompts']
const field = 'resourceSubscriptions'

/**
 * What a client hears of changes at its server, the same in every revision: servers with sessions tell of lists by
 * themselves and of resources by subscription, those without tell everything on a stream that has to be asked for.
 */
export class ServerChanges {
  readonly changes: ListChangeListeners
  readonly watches: ResourceWatches
  readonly listening: SubscriptionManager
  readonly #hooks: ServerChangesHooks

  constructor(hooks: ServerChangesHooks) {
    const { report, warn, peer, httpLimits } = hooks.settings
    const { reconnectMs, maxReconnectMs } = { ...httpDefaults, ...httpLimits }
    this.#hooks = hooks
    this.changes = new ListChangeListeners(report)
    this.watches = new ResourceWatches({
      subscribe: (uri) => this.#subscribe(uri),
      unsubscribe: (uri) => this.#unsubscribe(uri),
      report,
    })
    this.listening = new SubscriptionManager(
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

  onChange(kind: ChangeKind, listener: () => void, { codec, server }: ClientConnection): () => void {
    const stop = this.changes.on(kind, listener)
    // Where it is asked for, the server says itself whether it does.
    const announces = codec.handshake ? server.capabilities[kind]?.listChanged === true : server.capabilities[kind]
    if (!announces) this.#hooks.settings.warn(`onChange(${JSON.stringify(kind)}): the server announces no such changes`)
    if (!codec.handshake) void this.listening.refresh()
    return () => {
      stop()
      if (!codec.handshake) void this.listening.refresh()
    }
  }

  /** A new server process, or a new session, knows nothing. */
  async renew({ codec }: ClientConnection): Promise<void> {
    this.listening.renew(codec.handshake)
    // Where there is a stream for news, listeners are told when it is open.
    if (codec.handshake) this.#outdated()
    await this.watches.renew(codec.handshake)
  }

  /** Nobody told what changed for some time. */
  missed(): void {
    this.#outdated()
    this.watches.missed()
  }

  /** Lists, and what is kept of them, may be of the past. */
  #outdated(): void {
    this.#hooks.forget()
    for (const kind of kinds) this.changes.emit(kind)
  }

  close(): void {
    this.listening.close()
  }

  async #subscribe(uri: string): Promise<unknown> {
    const { codec, server } = await this.#hooks.connection()
    if (codec.handshake) return this.#hooks.call('resources/subscribe', { uri })
    if (server.capabilities.resources !== undefined) return this.listening.subscribe(field, uri)
    throw new McpError(
      'unsupported',
      `The server did not declare the capability resources, which watching ${uri} needs`,
    )
  }

  async #unsubscribe(uri: string): Promise<unknown> {
    const { codec } = await this.#hooks.connection()
    return codec.handshake ? this.#hooks.call('resources/unsubscribe', { uri }) : this.listening.unsubscribe(field, uri)
  }

  /** A server without a feature has no list of it that could change. */
  #fields({ server }: ClientConnection): string[] {
    const offered = this.changes.kinds.filter((kind) => server.capabilities[kind] !== undefined)
    return offered.map((kind) => `${kind}ListChanged`)
  }
}
