import { McpError } from '../errors.ts'
import { httpDefaults } from '../http-client/http-options.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { Changes } from './changes.ts'
import type { Connection } from './connection.ts'
import { Listening } from './listening/listening.ts'
import type { Settings } from './options.ts'
import type { ChangeKind } from './types.ts'
import { Watches } from './watches.ts'

export interface NewsHooks {
  settings: Settings
  /** The connection in use. Throws when there will be none any more. */
  connection(): Connection | Promise<Connection>
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
export class News {
  readonly changes: Changes
  readonly watches: Watches
  readonly listening: Listening
  readonly #hooks: NewsHooks

  constructor(hooks: NewsHooks) {
    const { report, warn, peer, httpLimits } = hooks.settings
    const { reconnectMs, maxReconnectMs } = { ...httpDefaults, ...httpLimits }
    this.#hooks = hooks
    this.changes = new Changes(report)
    this.watches = new Watches({
      subscribe: (uri) => this.#subscribe(uri),
      unsubscribe: (uri) => this.#unsubscribe(uri),
      report,
    })
    this.listening = new Listening(
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

  onChange(kind: ChangeKind, listener: () => void, { codec, server }: Connection): () => void {
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
  async renew({ codec }: Connection): Promise<void> {
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
  #fields({ server }: Connection): string[] {
    const offered = this.changes.kinds.filter((kind) => server.capabilities[kind] !== undefined)
    return offered.map((kind) => `${kind}ListChanged`)
  }
}
