import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller.ts'
import type { Change, ChangeListener, Definition } from '../definition.ts'
import type { Topic, Wanted } from './topics.ts'

interface News {
  method: string
  params: JsonObject
}

/** Whoever hears the news. */
export interface Audience {
  /** What it asked for in a field of the filter; the fields are those of `Definition.topics`. */
  wants(field: string): Wanted | undefined
  /** Sends news. Returns a promise only while the client is slow. */
  tell(method: string, params: JsonObject): void | Promise<void>
}

/**
 * Tells one client what changed: what it asked for and may see, and nothing else. News that wait to be sent are kept
 * once, however often they happen, so neither many changes at once nor a client that does not read pile anything up.
 */
export class Announcer implements ChangeListener {
  readonly #caller: CallerState
  readonly #definition: Definition
  readonly #audience: Audience
  readonly #waiting = new Map<string, News>()
  #sending = false
  #open = false

  constructor(caller: CallerState, definition: Definition, audience: Audience) {
    this.#caller = caller
    this.#definition = definition
    this.#audience = audience
  }

  /** The client is ready to hear. */
  open(): void {
    this.#open = true
  }

  changed(change: Change): void {
    if (!this.#open) return
    for (const [field, topic] of this.#definition.topics) {
      const wanted = this.#audience.wants(field)
      const params = wanted && topic.news(change, wanted)
      if (params !== undefined) void this.#announce(topic, change, params)
    }
  }

  /** Nothing more is told. */
  stop(): void {
    this.#open = false
    this.#waiting.clear()
  }

  async #announce(topic: Topic, change: Change, params: JsonObject): Promise<void> {
    if (!(await topic.admits(change, this.#caller, this.#definition)) || !this.#open) return
    const { method } = topic
    this.#waiting.set(`${method} ${JSON.stringify(params)}`, { method, params })
    if (this.#sending) return
    this.#sending = true
    queueMicrotask(() => void this.#send())
  }

  async #send(): Promise<void> {
    try {
      for (const [key, { method, params }] of this.#waiting) {
        this.#waiting.delete(key)
        const sending = this.#audience.tell(method, params)
        if (sending instanceof Promise) await sending
      }
    } catch (error) {
      this.#definition.report(error, 'news')
    } finally {
      this.#sending = false
    }
  }
}
