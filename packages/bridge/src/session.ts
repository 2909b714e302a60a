import type { ChangeKind, JsonObject, LoggingLevel, Notification, ResourceUpdate, Watch } from '@tenon/sdk/client'
import type { BackendIntroduction, BackendRequest, BackendSession, RawSender } from '@tenon/sdk/relay'
import { callLive, callRounds } from './calls.ts'
import { tooManySubscriptions } from './errors.ts'
import { Link } from './link.ts'
import type { Upstream } from './options.ts'
import { Outbox } from './outbox.ts'
import { senderOf } from './sender.ts'
import { shown } from './shown.ts'

const kinds: readonly ChangeKind[] = ['tools', 'resources', 'prompts']

/** What servers that say nothing of it send to clients that say nothing of it. */
const defaultLevel: LoggingLevel = 'info'

/** What is the business of this side alone. */
const ownNotifications: ReadonlySet<string> = new Set(['notifications/initialized', 'notifications/cancelled'])

export interface SessionHooks {
  readonly maxSubscriptions: number
  upstream(): Promise<Upstream>
  opened(link: Link): void
  failed(error: unknown): void
  restarted(): void
  report(error: unknown): void
}

/** A client that opened a session, and its own connection to the server. */
export class Session {
  readonly #near: BackendSession
  readonly #hooks: SessionHooks
  readonly #outbox: Outbox
  readonly #watches = new Map<string, Promise<Watch>>()
  /** What the client set, where every request has to say it. */
  #level: LoggingLevel | undefined
  #said: RawSender | undefined
  #link: Promise<Link>
  #stopNews: () => void = () => {}
  readonly #stop = new AbortController()

  constructor(near: BackendSession, hooks: SessionHooks) {
    this.#near = near
    this.#hooks = hooks
    this.#outbox = new Outbox((method, params) => near.notify(method, params))
    this.#link = this.#open()
    this.#link.catch(this.#failed)
  }

  async introduce(): Promise<BackendIntroduction> {
    const { client } = await this.#link
    return shown(client.server, this.#near.caller.revision)
  }

  async answer(request: BackendRequest): Promise<JsonObject> {
    const link = await this.#link
    const { client } = link
    const { method, params } = request
    switch (method) {
      case 'ping':
        if (client.knows(method)) await client.request(method, {}, { signal: request.signal })
        return {}
      case 'logging/setLevel':
        if (client.knows(method)) return link.setLevel(params.level as LoggingLevel, params)
        this.#level = params.level as LoggingLevel
        return {}
      case 'resources/subscribe':
        return this.#subscribe(link, params.uri as string)
      case 'resources/unsubscribe':
        return this.#unsubscribe(params.uri as string)
      default:
        return this.#call(link, request)
    }
  }

  notified({ method, params }: Notification): void {
    if (ownNotifications.has(method)) return
    this.#link.then(({ client }) => client.notify(method, params ?? {})).catch(this.#hooks.report)
  }

  /** Starts with another connection; the client hears that everything may be different now. */
  async restart(): Promise<void> {
    const old = this.#link
    this.#stopNews()
    const uris = [...this.#watches.keys()]
    this.#watches.clear()
    this.#link = old
      .then((link) => link.close())
      .catch(() => {})
      .then(() => this.#open())
    this.#link.catch(this.#failed)
    const link = await this.#link
    for (const uri of uris) await this.#subscribe(link, uri).catch(this.#hooks.report)
    for (const kind of kinds) if (link.client.server.capabilities[kind]) this.#listChanged(kind)
    for (const uri of uris) this.#outbox.post('notifications/resources/updated', { uri })
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.#stopNews()
    const link = await this.#link.catch(() => undefined)
    await link?.close()
  }

  readonly #failed = (error: unknown): void => {
    if (!this.#stop.signal.aborted) this.#hooks.failed(error)
  }

  async #open(): Promise<Link> {
    const { caller } = this.#near
    const link = await Link.open({
      upstream: await this.#hooks.upstream(),
      sender: senderOf(caller),
      bystander: {
        ask: ({ method, params, signal }) => this.#near.ask(method, params, { signal }),
        notify: (method, params) => this.#outbox.post(method, params),
      },
      onRestarted: () => this.#hooks.restarted(),
      signal: this.#stop.signal,
    })
    if (this.#stop.signal.aborted) await link.close()
    else this.#hear(link)
    this.#hooks.opened(link)
    return link
  }

  /** Lists that the server announces are announced; those of a server that starts again may be others, too. */
  #hear(link: Link): void {
    const { client } = link
    const { capabilities } = client.server
    const told = kinds.filter((kind) => (client.asksLive ? capabilities[kind] : capabilities[kind]?.listChanged))
    const stops = [
      ...told.map((kind) => client.onChange(kind, () => this.#listChanged(kind))),
      link.onTaskNews((method, params) => this.#outbox.post(method, params)),
    ]
    this.#stopNews = () => {
      for (const stop of stops) stop()
    }
  }

  #listChanged(kind: ChangeKind): void {
    this.#outbox.post(`notifications/${kind}/list_changed`, {})
  }

  #call(link: Link, request: BackendRequest): Promise<JsonObject> {
    const call = link.client.asksLive ? callLive : callRounds
    return call(link, request, this.#sender(link))
  }

  /** The client as requests describe it; the same object until it sets another level. */
  #sender({ client }: Link): RawSender {
    const logs = client.server.capabilities.logging !== undefined
    const level = logs ? (this.#level ?? defaultLevel) : undefined
    if (this.#said === undefined || this.#said.logLevel !== level) this.#said = senderOf(this.#near.caller, level)
    return this.#said
  }

  async #subscribe({ client }: Link, uri: string): Promise<JsonObject> {
    const limit = this.#hooks.maxSubscriptions
    if (this.#watches.size >= limit && !this.#watches.has(uri)) throw tooManySubscriptions(limit)
    const tell = (update: ResourceUpdate): void => this.#outbox.post('notifications/resources/updated', { ...update })
    const watching = this.#watches.get(uri) ?? client.watch(uri, tell)
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
