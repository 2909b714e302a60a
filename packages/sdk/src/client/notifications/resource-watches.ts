import { callListener, toError } from '../options.ts'
import type { ResourceUpdate, Watch } from '../types.ts'

/** Subscribes to resources at the server. */
interface ResourceSubscriber {
  subscribe(uri: string): Promise<unknown>
  unsubscribe(uri: string): Promise<unknown>
  report(error: Error): void
}

type Listener = (update: ResourceUpdate) => unknown

/** All watches of one URI, which are one subscription at the server. */
class Subscription {
  readonly listeners = new Set<Listener>()
  /** The state at the server, after the request that is in flight. */
  subscribed = false
  /** Subscribing and unsubscribing one after the other: two of them in flight at once could swap. */
  #queue: Promise<unknown> = Promise.resolve()

  /** Subscribes or unsubscribes, as the listeners require by then. */
  settle(uri: string, wire: ResourceSubscriber): Promise<void> {
    const step = this.#queue.then(async () => {
      const wanted = this.listeners.size > 0
      if (wanted === this.subscribed) return
      await (wanted ? wire.subscribe(uri) : wire.unsubscribe(uri))
      this.subscribed = wanted
    })
    this.#queue = step.catch(() => {})
    return step
  }
}

/** The watched resources: any number of watches per URI, one subscription at the server. */
export class ResourceWatches {
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #wire: ResourceSubscriber
  /** The length of the longest URI so far: a server may send one of a million slashes. */
  #longest = 0

  constructor(wire: ResourceSubscriber) {
    this.#wire = wire
  }

  async add(uri: string, listener: Listener): Promise<Watch> {
    const entry: Listener = (update) => listener(update)
    const subscription = this.#subscriptions.get(uri) ?? new Subscription()
    this.#subscriptions.set(uri, subscription)
    this.#longest = Math.max(this.#longest, uri.length)
    subscription.listeners.add(entry)
    try {
      await subscription.settle(uri, this.#wire)
    } catch (error) {
      subscription.listeners.delete(entry)
      this.#forget(uri, subscription)
      throw error
    }
    let closing: Promise<void> | undefined
    const close = (): Promise<void> => {
      closing ??= this.#remove(uri, subscription, entry)
      return closing
    }
    return { uri, close, [Symbol.asyncDispose]: close }
  }

  /** Delivers an update to the watches of the resource and of those that contain it. */
  updated(update: ResourceUpdate): void {
    for (const uri of withParents(update.uri, this.#longest)) {
      const listeners = this.#subscriptions.get(uri)?.listeners ?? []
      for (const listener of [...listeners]) callListener(this.#wire.report, listener, update)
    }
  }

  /** Updates may have been lost: calls all listeners. */
  missed(): void {
    for (const [uri, { listeners }] of this.#subscriptions) this.#missed(uri, listeners)
  }

  /**
   * Renews all subscriptions at once at a new server. Listeners that may have missed an update are called after its
   * answer: if they read the resource then, they miss no later change.
   */
  async renew(mayHaveMissed: boolean): Promise<void> {
    const renewals = [...this.#subscriptions].map(async ([uri, subscription]) => {
      subscription.subscribed = false
      await subscription.settle(uri, this.#wire).catch((error: unknown) => this.#wire.report(toError(error)))
      if (mayHaveMissed) this.#missed(uri, subscription.listeners)
    })
    await Promise.all(renewals)
  }

  #missed(uri: string, listeners: ReadonlySet<Listener>): void {
    for (const listener of [...listeners]) callListener(this.#wire.report, listener, { uri })
  }

  async #remove(uri: string, subscription: Subscription, entry: Listener): Promise<void> {
    subscription.listeners.delete(entry)
    try {
      await subscription.settle(uri, this.#wire)
    } catch (error) {
      // A caller that ends a watch cannot do anything about it, and gets no update either way.
      this.#wire.report(toError(error))
    } finally {
      this.#forget(uri, subscription)
    }
  }

  #forget(uri: string, subscription: Subscription): void {
    if (subscription.listeners.size === 0 && this.#subscriptions.get(uri) === subscription)
      this.#subscriptions.delete(uri)
  }
}

/** A URI and the shorter ones that contain it, with and without their closing slash, as far as any can be watched. */
function* withParents(uri: string, longest: number): Generator<string> {
  yield uri
  for (let slash = uri.lastIndexOf('/', longest); slash > 0; slash = uri.lastIndexOf('/', slash - 1)) {
    if (slash + 1 < uri.length) yield uri.slice(0, slash + 1)
    yield uri.slice(0, slash)
  }
}
