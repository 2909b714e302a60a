import type { ChangeKind, JsonObject, LoggingLevel, Notification, ResourceUpdate, Watch } from '@tenon/sdk/client'
import {
  type BackendIntroduction,
  type BackendRequest,
  type BackendSession,
  isSameAuth,
  type RawSender,
} from '@tenon/sdk/relay'
import type { Caller } from '@tenon/sdk/server'
import { tooManySubscriptions } from '../errors.ts'
import type { Upstream } from '../options.ts'
import { UpstreamConnection } from '../upstream/connection.ts'
import type { ConnectionLimit } from '../upstream/connection-limit.ts'
import { senderOf } from '../upstream/sender.ts'
import { NotificationQueue } from './notification-queue.ts'
import { WaitingNotifications } from './waiting-notifications.ts'

const kinds: readonly ChangeKind[] = ['tools', 'resources', 'prompts']

/** The level of log messages until the client sets one. */
const defaultLevel: LoggingLevel = 'info'

interface SessionHooks {
  readonly maxSubscriptions: number
  /** True if the bridge acts for the caller: then a connection serves one token. */
  readonly actsForCaller: boolean
  upstream(caller: Caller): Promise<Upstream>
  opened(connection: UpstreamConnection): void
  failed(error: unknown): void
  restarted(): void
  report(error: unknown): void
  /** Whether the client may get a notification of the server. */
  mayBeTold(method: string, params: JsonObject): boolean
}

/** The most connections of a session for tokens other than that of its handshake. */
const maxOthers = 2

interface OtherConnection {
  readonly auth: Caller['auth']
  readonly opening: Promise<UpstreamConnection>
}

/** A client with a session, and its own connection to the server. */
export class ClientSession {
  readonly #client: BackendSession
  readonly #limit: ConnectionLimit
  readonly #hooks: SessionHooks
  readonly #notifications: NotificationQueue
  readonly #waiting: WaitingNotifications
  readonly #watches = new Map<string, Promise<Watch>>()
  /** The level that the client set, for servers that get it with every request. */
  #level: LoggingLevel | undefined
  #latestSender: RawSender | undefined
  #main: Promise<UpstreamConnection>
  /** Connections for tokens other than that of the handshake, if the bridge acts for the caller. */
  readonly #others: OtherConnection[] = []
  #stopListening: () => void = () => {}
  readonly #stop = new AbortController()
  /** The requests that are being answered. */
  readonly #open = new Set<Promise<unknown>>()

  constructor(client: BackendSession, limit: ConnectionLimit, hooks: SessionHooks) {
    this.#client = client
    this.#limit = limit
    this.#hooks = hooks
    this.#waiting = new WaitingNotifications(hooks.report)
    this.#notifications = new NotificationQueue((method, params) =>
      hooks.mayBeTold(method, params) ? client.notify(method, params) : undefined,
    )
    this.#main = this.#connect(client.caller)
    this.#main.catch(this.#failed)
  }

  async introduce(): Promise<BackendIntroduction> {
    const { client, kind } = await this.#main
    const { info, instructions, capabilities } = client.server
    return { info, instructions, capabilities: kind.capabilitiesForSessions(capabilities) }
  }

  async answer(request: BackendRequest): Promise<JsonObject> {
    const answer = this.#answer(request)
    this.#open.add(answer)
    return answer.finally(() => this.#open.delete(answer))
  }

  async #answer(request: BackendRequest): Promise<JsonObject> {
    const connection = await this.#connectionFor(request)
    const { client } = connection
    const { method, params } = request
    switch (method) {
      case 'ping':
        if (client.knows(method)) await client.request(method, {}, { signal: request.signal })
        return {}
      case 'logging/setLevel':
        if (client.knows(method)) return connection.setLogLevel(params.level as LoggingLevel, params)
        this.#level = params.level as LoggingLevel
        return {}
      case 'resources/subscribe':
        return this.#subscribe(connection, params.uri as string)
      case 'resources/unsubscribe':
        return this.#unsubscribe(params.uri as string)
      default:
        return connection.kind.callForSession(connection, request, this.#sender(connection))
    }
  }

  notified({ method, params }: Notification): void {
    const given = params ?? {}
    this.#waiting.forward(method, given, async () => (await this.#main).client.notify(method, given))
  }

  /** Opens another connection, and notifies the client that lists and resources may have changed. Without one the session ends. */
  async restart(): Promise<void> {
    const old = this.#main
    this.#stopListening()
    for (const other of [...this.#others]) this.#drop(other)
    const uris = [...this.#watches.keys()]
    this.#watches.clear()
    this.#main = old
      .then((connection) => connection.close())
      .catch(() => {})
      .then(() => this.#connect(this.#client.caller))
    const connection = await this.#main.catch(async (error: unknown) => {
      this.#failed(error)
      await this.#lost()
      throw error
    })
    for (const uri of uris) await this.#subscribe(connection, uri).catch(this.#hooks.report)
    for (const kind of kinds) if (connection.client.server.capabilities[kind]) this.#listChanged(kind)
    for (const uri of uris) this.#notifications.post('notifications/resources/updated', { uri })
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.#stopListening()
    const connections = [this.#main, ...this.#others.map(({ opening }) => opening)]
    for (const other of [...this.#others]) this.#drop(other)
    await Promise.all(connections.map(async (opening) => (await opening.catch(() => undefined))?.close()))
  }

  /** A request never uses the connection of another token: it would have that token's rights. */
  #connectionFor({ caller }: BackendRequest): Promise<UpstreamConnection> {
    const { actsForCaller } = this.#hooks
    if (!actsForCaller || isSameAuth(caller.auth, this.#client.caller.auth)) return this.#main
    const known = this.#others.find(({ auth }) => isSameAuth(auth, caller.auth))
    if (known !== undefined) return known.opening
    // The oldest one is most likely that of a token that has been replaced.
    if (this.#others.length >= maxOthers) this.#drop(this.#others[0]!)
    this.#limit.take()
    const other: OtherConnection = { auth: caller.auth, opening: this.#connect(caller) }
    this.#others.push(other)
    other.opening.then(
      (connection) => connection.closed.then(() => this.#drop(other)),
      (error: unknown) => {
        this.#failed(error)
        this.#drop(other)
      },
    )
    return other.opening
  }

  #drop(other: OtherConnection): void {
    const index = this.#others.indexOf(other)
    if (index < 0) return
    this.#others.splice(index, 1)
    this.#limit.leave()
    void other.opening.then((connection) => connection.close()).catch(() => {})
  }

  readonly #failed = (error: unknown): void => {
    if (!this.#stop.signal.aborted) this.#hooks.failed(error)
  }

  async #connect(caller: Caller): Promise<UpstreamConnection> {
    const isMain = caller === this.#client.caller
    const connection = await UpstreamConnection.open({
      upstream: await this.#hooks.upstream(caller),
      sender: senderOf(caller),
      revision: caller.revision,
      peer: {
        ask: ({ method, params, signal }) => this.#client.ask(method, params, { signal }),
        // Notifications outside of calls come from the main connection, and only once.
        notify: (method, params) => (isMain ? this.#notifications.post(method, params) : undefined),
      },
      onRestarted: () => this.#hooks.restarted(),
      signal: this.#stop.signal,
    })
    if (this.#stop.signal.aborted) await connection.close()
    else if (isMain) {
      this.#listen(connection)
      void connection.closed.then(() => (connection.isEnding ? undefined : this.#lost()))
    }
    this.#hooks.opened(connection)
    return connection
  }

  /**
   * The server is gone, and the state of the session with it: the client has to begin anew, as without a bridge. The
   * requests in flight get their errors first.
   */
  async #lost(): Promise<void> {
    await Promise.allSettled(this.#open)
    // The last of them is sent in a microtask after this one, and the client's next request cannot arrive before this turn is over.
    await new Promise((resolve) => setImmediate(resolve))
    await this.#client.end().catch(this.#hooks.report)
  }

  /** Passes on changes of lists, and notifications about tasks. */
  #listen(connection: UpstreamConnection): void {
    const { client, kind: server } = connection
    const lists = server.changingLists(client.server.capabilities, kinds)
    const stops = [
      ...lists.map((kind) => client.onChange(kind, () => this.#listChanged(kind))),
      connection.onTaskNotification((method, params) => this.#notifications.post(method, params)),
    ]
    this.#stopListening = () => {
      for (const stop of stops) stop()
    }
  }

  #listChanged(kind: ChangeKind): void {
    this.#notifications.post(`notifications/${kind}/list_changed`, {})
  }

  /** The client as requests describe it; the same object until it sets another level. */
  #sender({ client }: UpstreamConnection): RawSender {
    const logs = client.server.capabilities.logging !== undefined
    const level = logs ? (this.#level ?? defaultLevel) : undefined
    if (this.#latestSender === undefined || this.#latestSender.logLevel !== level) {
      this.#latestSender = senderOf(this.#client.caller, level)
    }
    return this.#latestSender
  }

  async #subscribe({ client }: UpstreamConnection, uri: string): Promise<JsonObject> {
    const limit = this.#hooks.maxSubscriptions
    if (this.#watches.size >= limit && !this.#watches.has(uri)) throw tooManySubscriptions(limit)
    const notify = (update: ResourceUpdate): void =>
      this.#notifications.post('notifications/resources/updated', { ...update })
    const watching = this.#watches.get(uri) ?? client.watch(uri, notify)
    this.#watches.set(uri, watching)
    try {
      await watching
      return {}
    } catch (error) {
      this.#watches.delete(uri)
      throw error
    }
  }

  async #unsubscribe(uri: string): Promise<JsonObject> {
    const watching = this.#watches.get(uri)
    this.#watches.delete(uri)
    const watch = await watching?.catch(() => undefined)
    await watch?.close()
    return {}
  }
}
