import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { backoffMs, idlePause } from '../../internal/timers.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller-state.ts'
import type { ChangeListener, ServerChange } from '../definition/changes.ts'
import { isAway, pauseMs } from './bus-subscription.ts'
import type { ChangeSource, Topic, TopicSelection } from './topics.ts'

interface PendingNotification {
  readonly topic: Topic
  readonly params: JsonObject
  /** The changes that it is about, by the rule of who sees them. */
  readonly changes: Map<unknown, ServerChange>
}

/** A client that gets notifications of changes. */
export interface ChangeSubscriber {
  /** The caller whose rights decide. */
  readonly listener: CallerState
  /** The subscription in a field of the filter; the fields are those of `ChangeSource.topics`. */
  wants(field: string): TopicSelection | undefined
  /** Sends a notification. Returns a promise only while the client is slow. */
  tell(method: string, params: JsonObject): MaybePromise<void>
}

/**
 * Notifies one client of the changes that it subscribed to and may see. Equal notifications are merged before anything
 * is checked or sent: however often something changes, one check of it is open and one message waits.
 */
export class ChangeNotifier implements ChangeListener {
  readonly #definition: ChangeSource
  readonly #subscriber: ChangeSubscriber
  /** Notifications that are not checked yet. */
  readonly #changed = new Map<string, PendingNotification>()
  /** The keys of notifications that are being checked. */
  readonly #asked = new Set<string>()
  /** Notifications that the client may see, until they are sent. */
  readonly #waiting = new Map<string, PendingNotification>()
  #sending = false
  #open = false
  /** Set while something is under way: the number of the last change before it. */
  #settled: number | undefined

  constructor(definition: ChangeSource, subscriber: ChangeSubscriber) {
    this.#definition = definition
    this.#subscriber = subscriber
  }

  /** The client is ready. */
  open(): void {
    this.#open = true
  }

  changed(change: ServerChange): void {
    if (!this.#open) return
    for (const [field, topic] of this.#definition.topics) {
      const wanted = this.#subscriber.wants(field)
      const params = wanted && topic.paramsFor(change, wanted, this.#subscriber.listener)
      if (params !== undefined) this.#note(topic, change, params)
    }
  }

  /** The client did not listen since the change with a number. Undefined: nobody knows what has changed since then. */
  catchUp(since: number, missed: readonly ServerChange[] | undefined): void {
    const settled = Math.min(since, this.told)
    if (missed === undefined) this.missed()
    else for (const change of missed) this.changed(change)
    if (this.#changed.size > 0) this.#settled = settled
  }

  /** Everything that the client subscribed to may have changed. */
  missed(): void {
    const owner = this.#definition
    for (const feature of ['tools', 'resources', 'prompts'] as const)
      if (owner.offers(feature)) this.changed({ kind: 'list', feature, visible: undefined, owner })
    const uris = this.#subscriber.wants('resourceSubscriptions')
    if (uris !== true) for (const uri of uris ?? []) this.changed({ kind: 'resource', uri })
  }

  /** The number of the last shared change that is settled with all before it: the client was told, or need not be. */
  get told(): number {
    if (this.#changed.size === 0 && this.#asked.size === 0 && !this.#sending) this.#settled = undefined
    return this.#settled ?? this.#definition.changes.last
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#open = false
    this.#changed.clear()
    this.#waiting.clear()
  }

  #note(topic: Topic, change: ServerChange, params: JsonObject): void {
    const key = `${topic.method} ${JSON.stringify(params)}`
    this.#settled = this.told
    let pending = this.#changed.get(key)
    if (pending === undefined) {
      pending = { topic, params, changes: new Map() }
      this.#changed.set(key, pending)
      if (!this.#asked.has(key)) void this.#ask(key)
    }
    addChange(pending.changes, change)
  }

  /** Checks once for all changes of the same turn, and once more for changes that came during the check. */
  async #ask(key: string): Promise<void> {
    this.#asked.add(key)
    await undefined
    try {
      for (let pending = this.#changed.get(key); pending !== undefined; pending = this.#changed.get(key)) {
        this.#changed.delete(key)
        if ((isForAll(pending) || (await this.#isAdmitted(pending))) && this.#open) this.#enqueue(key, pending)
      }
    } catch (error) {
      this.#definition.report(error, 'news')
    } finally {
      this.#asked.delete(key)
    }
  }

  #enqueue(key: string, pending: PendingNotification): void {
    this.#waiting.set(key, pending)
    if (this.#sending) return
    this.#sending = true
    void this.#send()
  }

  async #isAdmitted({ topic, changes }: PendingNotification): Promise<boolean> {
    for (const change of changes.values()) {
      let caller: CallerState
      let isAdmitted: boolean
      do {
        caller = this.#subscriber.listener
        isAdmitted = await topic.admits!(change, caller, this.#definition)
        // Another token may have taken over the stream meanwhile.
      } while (this.#open && caller !== this.#subscriber.listener)
      if (isAdmitted) return true
    }
    return false
  }

  async #send(): Promise<void> {
    let attempt = 1
    for (const [key, pending] of this.#waiting) {
      this.#waiting.delete(key)
      try {
        const sending = this.#subscriber.tell(pending.topic.method, pending.params)
        if (sending instanceof Promise) await sending
        attempt = 1
      } catch (error) {
        this.#definition.report(error, 'news')
        if (!isAway(error) || !this.#open) continue
        // It goes to the end of the map, and the loop comes to it again.
        this.#waiting.set(key, this.#waiting.get(key) ?? pending)
        await idlePause(backoffMs(attempt++, ...pauseMs))
      }
    }
    this.#sending = false
  }
}

/** True if no rule has to be asked: everybody sees the change, or `paramsFor` has decided. */
const isForAll = ({ topic, changes }: PendingNotification): boolean =>
  topic.admits === undefined || changes.get(undefined)?.kind === 'list'

/** Changes of items under the same rule are one, so that the rule is asked once. */
function addChange(changes: Map<unknown, ServerChange>, change: ServerChange): void {
  const rule = change.kind === 'list' ? change.visible : undefined
  const known = changes.get(rule)
  const isSame = known === undefined || known.kind !== 'list' || change.kind !== 'list' || known.owner === change.owner
  changes.set(isSame ? rule : change, change)
}
