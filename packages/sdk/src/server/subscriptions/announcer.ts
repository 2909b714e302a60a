import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller.ts'
import type { Change, Definition } from '../definition.ts'
import type { Topic, Wanted } from './topics.ts'

interface News {
  method: string
  params: JsonObject
}

/** Sends news. Returns a promise only while the client is slow. */
export type Tell = (method: string, params: JsonObject) => void | Promise<void>

/**
 * Tells one client what changed: what it asked for and may see, and nothing else. News that wait to be sent are kept
 * once, however often they happen, so neither many changes at once nor a client that does not read pile anything up.
 */
export class Announcer {
  readonly #caller: CallerState
  readonly #definition: Definition
  readonly #wants: ReadonlyMap<string, Wanted>
  readonly #tell: Tell
  readonly #waiting = new Map<string, News>()
  #sending = false
  #open = false

  /** `wants` is by field of the filter, as `Definition.topics` is. */
  constructor(caller: CallerState, definition: Definition, wants: ReadonlyMap<string, Wanted>, tell: Tell) {
    this.#caller = caller
    this.#definition = definition
    this.#wants = wants
    this.#tell = tell
  }

  /** Hears of changes, until the returned function is called; tells them only once it is open. */
  start(): () => void {
    const forget = this.#definition.onChange((change) => {
      if (this.#open) this.#changed(change)
    })
    return () => {
      forget()
      this.#open = false
      this.#waiting.clear()
    }
  }

  /** The client is ready to hear. */
  open(): void {
    this.#open = true
  }

  #changed(change: Change): void {
    for (const [field, wanted] of this.#wants) {
      const topic = this.#definition.topics.get(field)
      const params = topic?.news(change, wanted)
      if (topic !== undefined && params !== undefined) void this.#announce(topic, change, params)
    }
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
        const sending = this.#tell(method, params)
        if (sending instanceof Promise) await sending
      }
    } catch (error) {
      this.#definition.report(error, 'news')
    } finally {
      this.#sending = false
    }
  }
}
