import type { Hold } from '../../internal/budget.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { AuthInfo } from '../caller.ts'
import type { CallerState } from '../caller-state.ts'
import type { ChangeListener, ServerChange } from '../definition/changes.ts'
import type { Definition } from '../definition/definition.ts'
import type { Outlet } from '../dispatch/outlet.ts'
import { ChangeNotifier, type ChangeSubscriber } from '../subscriptions/change-notifier.ts'
import type { TopicSelection } from '../subscriptions/topics.ts'
import { RootsChanges } from './roots-changes.ts'

/** The fields of a filter that every session has. */
const sessionFields: ReadonlySet<string> = new Set([
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
  'taskStatus',
])

/** The session of a connection: the client that opened it, and the notifications that it gets. */
export class ClientSession implements ChangeSubscriber, ChangeListener {
  readonly caller: CallerState
  /** True once the client sent `notifications/initialized`: only then the server sends anything on its own. */
  ready = false
  readonly #definition: Definition
  readonly #outlet: Outlet
  readonly #channel: Channel
  /** The share of the session in the server's budget. */
  readonly #kept: Hold
  /** The reader of the stream for messages that belong to no request, if its token is not that of the handshake. */
  #listener: CallerState | undefined
  /** Made with the first change. */
  #notifier: ChangeNotifier | undefined
  #roots: RootsChanges | undefined

  constructor(definition: Definition, caller: CallerState, outlet: Outlet, channel: Channel, kept: Hold) {
    this.#definition = definition
    this.caller = caller
    this.#outlet = outlet
    this.#channel = channel
    this.#kept = kept
  }

  changed(change: ServerChange): void {
    if (!this.ready) return
    this.#notifier ??= this.#openNotifier()
    this.#notifier.changed(change)
  }

  /** A client with a session hears of all lists, and of the resources that it subscribed to. */
  wants(field: string): TopicSelection | undefined {
    return field === 'resourceSubscriptions' ? this.caller.subscriptions : sessionFields.has(field) || undefined
  }

  /** Notifications that belong to no request are judged by the token of the stream that they go into. */
  get listener(): CallerState {
    const { auth } = this.#channel
    const known = this.#listener ?? this.caller
    if (auth === undefined || auth === known.auth) return known
    if (this.#listener !== undefined) this.#definition.release(this.#listener)
    this.#listener = this.caller.as(auth)
    return this.#listener
  }

  tell(method: string, params: JsonObject): void | Promise<void> {
    return this.#outlet.notify(method, this.caller.codec.encodeParams(method, params))
  }

  rootsChanged(auth: AuthInfo | undefined): void {
    const { onRootsChanged } = this.#definition.options
    if (onRootsChanged === undefined || this.caller.capabilities.roots === undefined) return
    this.#roots ??= new RootsChanges(onRootsChanged, (error) => this.#definition.report(error, 'onRootsChanged'))
    void this.#roots.changed(this.caller, auth, this.#outlet, this.#channel)
  }

  /** Stops notifications, and releases everything that was kept for the client. */
  end(): void {
    this.#definition.forget(this)
    this.#notifier?.stop()
    this.#definition.release(this.caller)
    this.#kept.release()
  }

  #openNotifier(): ChangeNotifier {
    const notifier = new ChangeNotifier(this.#definition, this)
    notifier.open()
    return notifier
  }
}
