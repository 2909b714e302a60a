import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { SessionOutlet } from '../server/backend.ts'
import type { Caller } from '../server/caller.ts'
import type { CallerState } from '../server/caller-state.ts'
import { canSay, readAnswer } from '../wire/passing.ts'
import { type QuestionWait, withoutTimeout } from './question-wait.ts'

/** A client that opened a session: it gets notifications and questions at any time. */
export class BackendSession {
  readonly caller: Caller
  /** Resolves when the client sent `notifications/initialized`; until then no question is sent. */
  readonly ready: Promise<void>
  readonly #state: CallerState
  readonly #outlet: SessionOutlet
  /** True for the notifications that are for this client; the library sets it. */
  hears: (method: string, params: JsonObject) => boolean = () => true
  #isReady: () => void = () => {}

  constructor(state: CallerState, outlet: SessionOutlet) {
    this.caller = state
    this.#state = state
    this.#outlet = outlet
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve
    })
  }

  /** The connection, as `BackendRequest.line` of the requests on it. */
  get line(): object {
    return this.#outlet
  }

  /** The client sent `notifications/initialized`. */
  markReady(): void {
    this.#isReady()
  }

  /** Sends a notification, unless only other revisions have it. */
  notify(method: string, params: JsonObject): MaybePromise<void> {
    const { codec } = this.#state
    if (!canSay(codec, 'server', method) || !this.hears(method, params)) return
    return this.#outlet.notify(method, codec.encodeParams(method, this.outward(method, params)))
  }

  /** Asks the client, once it is ready. Nothing is checked but the shapes that the revision changes. */
  async ask(method: string, params: JsonObject, wait: QuestionWait = {}): Promise<JsonObject> {
    await this.ready
    const { codec } = this.#state
    const asked = codec.encodeParams(method, params)
    return readAnswer(codec, method, await this.#outlet.ask(method, asked, withoutTimeout(wait)), params)
  }

  /**
   * Ends the session, so that the client begins anew: its connection is closed, and over HTTP its id gets 404. Requests that
   * are not answered yet get no answer.
   */
  end(): Promise<void> {
    return this.#outlet.close()
  }

  /** The params of a notification as the client gets them. */
  protected outward(_method: string, params: JsonObject): JsonObject {
    return params
  }
}
