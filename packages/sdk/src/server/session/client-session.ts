import type { Hold } from '../../internal/budget.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { LoggingLevel } from '../../model/logging.ts'
import type { AuthInfo } from '../caller.ts'
import type { CallerState } from '../caller-state.ts'
import type { ChangeListener, ServerChange } from '../definition/changes.ts'
import type { Definition } from '../definition/definition.ts'
import type { Outlet } from '../dispatch/outlet.ts'
import { ChangeNotifier, type ChangeSubscriber } from '../subscriptions/change-notifier.ts'
import { restoreSubscriptions, watchSubscriptions } from '../subscriptions/kept-subscriptions.ts'
import type { TopicSelection } from '../subscriptions/topics.ts'
import { RootsChanges } from './roots-changes.ts'

/** The fields of a filter that every session has. */
const sessionFields: ReadonlySet<string> = new Set([
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
  'taskStatus',
])

/** Apart, because few sessions have any: an idle session takes a kilobyte. */
const rootsChanges = new WeakMap<object, RootsChanges>()

/** The connection of a session. */
export interface SessionConnection extends Outlet {
  readonly definition: Definition
  readonly channel: Channel
  /** Sends a notification that belongs to no request. Fails if that has to be tried again. */
  deliver(method: string, params: JsonObject): MaybePromise<void>
}

/** The state of a session that its client has set. */
interface SharedState {
  readonly logLevel?: LoggingLevel | undefined
  readonly subscriptions: readonly string[]
}

/** The session of a connection: the client that opened it, and the notifications that it gets. */
export class ClientSession implements ChangeSubscriber, ChangeListener {
  readonly caller: CallerState
  /** True once the client sent `notifications/initialized`: only then the server sends anything on its own. */
  ready = false
  readonly #host: SessionConnection
  /** The share of the session in the server's budget. */
  readonly #kept: Hold
  /** The reader of the stream for messages that belong to no request, if its token is not that of the handshake. */
  #listener: CallerState | undefined
  /** Made with the first change. */
  #notifier: ChangeNotifier | undefined

  constructor(host: SessionConnection, caller: CallerState, kept: Hold) {
    this.#host = host
    this.caller = caller
    this.#kept = kept
  }

  changed(change: ServerChange): void {
    if (!this.#hears && !(this.ready && this.#isOwnTask(change))) return
    this.#notifier ??= this.#openNotifier()
    this.#notifier.changed(change)
  }

  /** The process that made a task tells of it, wherever the client listens: no other knows its session. */
  #isOwnTask(change: ServerChange): boolean {
    return change.kind === 'task' && change.session === this.caller.session
  }

  /** A client with a session hears of all lists, and of the resources that it subscribed to. */
  wants(field: string): TopicSelection | undefined {
    return field === 'resourceSubscriptions' ? this.caller.subscriptions?.uris : sessionFields.has(field) || undefined
  }

  /** Notifications that belong to no request are judged by the token of the stream that they go into. */
  get listener(): CallerState {
    const { auth } = this.#host.channel
    const known = this.#listener ?? this.caller
    if (auth === undefined || auth === known.auth) return known
    if (this.#listener !== undefined) this.#host.definition.release(this.#listener)
    this.#listener = this.caller.as(auth)
    return this.#listener
  }

  tell(method: string, params: JsonObject): MaybePromise<void> {
    return this.#host.deliver(method, this.caller.codec.encodeParams(method, params))
  }

  rootsChanged(auth: AuthInfo | undefined): void {
    const { onRootsChanged } = this.#host.definition.options
    if (onRootsChanged === undefined || this.caller.capabilities.roots === undefined) return
    let changes = rootsChanges.get(this)
    if (changes === undefined) {
      changes = new RootsChanges(onRootsChanged, (error) => this.#host.definition.report(error, 'onRootsChanged'))
      rootsChanges.set(this, changes)
    }
    void changes.changed(this.caller, auth, this.#host, this.#host.channel)
  }

  /**
   * The client listens here, after it was told of changes up to a number: it is told of those that it missed, or of
   * everything if nobody knows them.
   */
  async listens(since: number, missed: readonly ServerChange[] | undefined): Promise<void> {
    if (this.#hears) {
      this.#notifier ??= this.#openNotifier()
      this.#notifier.catchUp(since, missed)
    }
    await watchSubscriptions(this.caller, this.#host.definition)
  }

  missed(): void {
    if (!this.#hears) return
    this.#notifier ??= this.#openNotifier()
    this.#notifier.missed()
  }

  /** The number of the last shared change that its client was told of with all before it, if it listens here. */
  get told(): number {
    return this.#notifier?.told ?? this.#host.definition.changes.last
  }

  get #hears(): boolean {
    return this.ready && this.#host.channel.hears !== false
  }

  /** Takes over the state that another process left, which serves the session too. */
  restore({ logLevel, subscriptions }: SharedState): void {
    if (logLevel !== undefined) this.caller.logLevel = logLevel
    restoreSubscriptions(this.caller, this.#host.definition, subscriptions)
  }

  /** Stops notifications, and releases everything that was kept for the client. */
  end(): void {
    this.#host.definition.forget(this)
    this.#notifier?.stop()
    this.#host.definition.release(this.caller)
    this.#kept.release()
  }

  #openNotifier(): ChangeNotifier {
    const notifier = new ChangeNotifier(this.#host.definition, this)
    notifier.open()
    return notifier
  }
}
