import { classify, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { type BusListening, BusSubscription } from '../../server/subscriptions/bus-subscription.ts'
import type { Bus } from '../stores/stores.ts'
import { randomHex } from './event-stream.ts'

/** The news for a process that serves a session too. */
export interface Relayed {
  readonly session: string
  /** A message of the client. */
  readonly message?: JsonObject
  /** The client listens at another process from now on. */
  readonly listens?: true
  /** Its state has changed. */
  readonly changed?: true
}

/** Notifications that matter to whichever process works for the session. */
const forEveryone: ReadonlySet<unknown> = new Set(['notifications/cancelled', 'notifications/initialized'])

const everyone = 'sessions/messages'

/**
 * Takes messages of clients to the processes that wait for them: a client that is asked by one process may answer at
 * another. The ids of questions begin with the token of the process that asks.
 */
export class SessionRelay {
  readonly #token = randomHex(8)
  readonly #bus: Bus
  readonly #deliver: (relayed: Relayed) => void
  readonly #subscriptions: readonly BusSubscription[]

  constructor(bus: Bus, deliver: (relayed: Relayed) => void, listening: BusListening) {
    this.#bus = bus
    this.#deliver = deliver
    const receive = (text: string): void => this.#receive(text)
    const topics = [everyone, topicOf(this.#token)]
    this.#subscriptions = topics.map((topic) => new BusSubscription(bus, topic, receive, listening))
  }

  /** Done when messages of other processes arrive. Fails while the bus is away. */
  async joined(): Promise<void> {
    for (const subscription of this.#subscriptions) await subscription.joined()
  }

  /** Begins the ids of requests of this process. */
  get idPrefix(): string {
    return `${this.#token}.`
  }

  /** Passes on a message that came here. Returns true if it is for another process alone. */
  async pass(session: string, message: unknown): Promise<boolean> {
    const asking = tokenIn(message)
    if (asking !== undefined && asking !== this.#token) {
      await this.#publish(topicOf(asking), { session, message: message as JsonObject })
      return true
    }
    if (asking === undefined && isForEveryone(message)) await this.#publish(everyone, { session, message })
    return false
  }

  /** Says that the client of a session listens here from now on. */
  listens(session: string): Promise<void> {
    return this.#publish(everyone, { session, listens: true })
  }

  /** Says that the state of a session has changed. */
  changed(session: string): Promise<void> {
    return this.#publish(everyone, { session, changed: true })
  }

  async close(): Promise<void> {
    for (const subscription of this.#subscriptions) await subscription.stop()
  }

  async #publish(topic: string, relayed: Relayed): Promise<void> {
    await this.#bus.publish(topic, JSON.stringify({ from: this.#token, ...relayed }))
  }

  /** A message on a bus may be from another version of the program, or from another program. */
  #receive(text: string): void {
    const relayed = parse(text)
    if (relayed !== undefined && relayed.from !== this.#token) this.#deliver(relayed)
  }
}

const topicOf = (token: string): string => `sessions/messages/${token}`

const isForEveryone = (message: unknown): message is JsonObject => isObject(message) && forEveryone.has(message.method)

/** The process that asked the question that a message answers, or reports progress on. */
function tokenIn(message: unknown): string | undefined {
  const kind = classify(message)
  const id = kind === 'result' || kind === 'error' ? (message as JsonObject).id : progressTokenOf(message)
  return typeof id === 'string' ? /^([0-9a-f]{16})\.\d+$/.exec(id)?.[1] : undefined
}

const progressTokenOf = (message: unknown): unknown =>
  isObject(message) && message.method === 'notifications/progress' && isObject(message.params)
    ? message.params.progressToken
    : undefined

function parse(text: string): (Relayed & { from: unknown }) | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isRelayed = isObject(value) && typeof value.session === 'string'
    const isComplete = isRelayed && (isObject(value.message) || value.listens === true || value.changed === true)
    return isComplete ? (value as unknown as Relayed & { from: unknown }) : undefined
  } catch {
    return undefined
  }
}
