import type { ChangeKind, JsonObject, LoggingLevel, Notification, ResourceUpdate, Watch } from '@tenon/sdk/client'
import {
  type BackendIntroduction,
  type BackendRequest,
  type BackendSession,
  isSameAuth,
  type RawSender,
} from '@tenon/sdk/relay'
import type { Caller } from '@tenon/sdk/server'
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
  /** True if the server is reached in the name of the caller: then a connection is for one token. */
  readonly actsForCaller: boolean
  upstream(caller: Caller): Promise<Upstream>
  /** Takes one of the connections that there may be; throws if there is none left. */
  admit(): void
  left(): void
  opened(link: Link): void
  failed(error: unknown): void
  restarted(): void
  report(error: unknown): void
}

/** How many connections a session has for tokens that came after the one of its handshake. */
const maxOthers = 2

interface OtherLink {
  readonly auth: Caller['auth']
  readonly link: Promise<Link>
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
  /** Connections for other tokens than that of the handshake, where the server is reached in the name of the caller. */
  readonly #others: OtherLink[] = []
  #stopNews: () => void = () => {}
  readonly #stop = new AbortController()

  constructor(near: BackendSession, hooks: SessionHooks) {
    this.#near = near
    this.#hooks = hooks
    this.#outbox = new Outbox((method, params) => near.notify(method, params))
    this.#link = this.#open(near.caller)
    this.#link.catch(this.#failed)
  }

  async introduce(): Promise<BackendIntroduction> {
    const { client } = await this.#link
    return shown(client.server, this.#near.caller.revision)
  }

  async answer(request: BackendRequest): Promise<JsonObject> {
    const link = await this.#linkFor(request)
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
    for (const other of [...this.#others]) this.#drop(other)
    const uris = [...this.#watches.keys()]
    this.#watches.clear()
    this.#link = old
      .then((link) => link.close())
      .catch(() => {})
      .then(() => this.#open(this.#near.caller))
    this.#link.catch(this.#failed)
    const link = await this.#link
    for (const uri of uris) await this.#subscribe(link, uri).catch(this.#hooks.report)
    for (const kind of kinds) if (link.client.server.capabilities[kind]) this.#listChanged(kind)
    for (const uri of uris) this.#outbox.post('notifications/resources/updated', { uri })
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.#stopNews()
    const links = [this.#link, ...this.#others.map(({ link }) => link)]
    for (const other of [...this.#others]) this.#drop(other)
    await Promise.all(links.map(async (opening) => (await opening.catch(() => undefined))?.close()))
  }

  /** No request takes the connection of another token: the server would judge it by that. */
  #linkFor({ caller }: BackendRequest): Promise<Link> {
    const { actsForCaller } = this.#hooks
    if (!actsForCaller || isSameAuth(caller.auth, this.#near.caller.auth)) return this.#link
    const known = this.#others.find(({ auth }) => isSameAuth(auth, caller.auth))
    if (known !== undefined) return known.link
    // The one that was opened first is most likely that of a token that has been replaced.
    if (this.#others.length >= maxOthers) this.#drop(this.#others[0]!)
    this.#hooks.admit()
    const other: OtherLink = { auth: caller.auth, link: this.#open(caller) }
    this.#others.push(other)
    other.link.catch((error: unknown) => {
      this.#failed(error)
      this.#drop(other)
    })
    return other.link
  }

  #drop(other: OtherLink): void {
    const index = this.#others.indexOf(other)
    if (index < 0) return
    this.#others.splice(index, 1)
    this.#hooks.left()
    void other.link.then((link) => link.close()).catch(() => {})
  }

  readonly #failed = (error: unknown): void => {
    if (!this.#stop.signal.aborted) this.#hooks.failed(error)
  }

  async #open(caller: Caller): Promise<Link> {
    const isMain = caller === this.#near.caller
    const link = await Link.open({
      upstream: await this.#hooks.upstream(caller),
      sender: senderOf(caller),
      bystander: {
        ask: ({ method, params, signal }) => this.#near.ask(method, params, { signal }),
        // What belongs to no request is heard from the connection of the handshake.
        notify: (method, params) => (isMain ? this.#outbox.post(method, params) : undefined),
      },
      onRestarted: () => this.#hooks.restarted(),
      signal: this.#stop.signal,
    })
    if (this.#stop.signal.aborted) await link.close()
    else if (isMain) this.#hear(link)
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
