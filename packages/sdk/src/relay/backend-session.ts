import type { JsonObject } from '../jsonrpc/message.ts'
import type { Caller } from '../server/caller.ts'
import type { CallerState } from '../server/caller-state.ts'
import type { Outlet } from '../server/dispatch/outlet.ts'
import { canSay, readAnswer } from '../wire/passing.ts'
import { type WaitLimits, withoutTimeout } from './wait-limits.ts'

/** A client that opened a session: it can be told and asked things at any time. */
export class BackendSession {
  readonly caller: Caller
  /** Resolves when the client said that the handshake is done; until then it is asked nothing. */
  readonly ready: Promise<void>
  readonly #state: CallerState
  readonly #outlet: Outlet
  #isReady: () => void = () => {}

  constructor(state: CallerState, outlet: Outlet) {
    this.caller = state
    this.#state = state
    this.#outlet = outlet
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve
    })
  }

  /** What it has in common with the requests that come on the same connection. */
  get line(): object {
    return this.#outlet
  }

  /** For whoever hears of it. */
  markReady(): void {
    this.#isReady()
  }

  /** Sends a notification, if the revision has it or nobody knows it. */
  notify(method: string, params: JsonObject): void | Promise<void> {
    const { codec } = this.#state
    if (canSay(codec, 'server', method)) return this.#outlet.notify(method, codec.encodeParams(method, params))
  }

  /** Asks the client, once it is ready to be asked. Nothing is checked but what the revision itself says differently. */
  async ask(method: string, params: JsonObject, wait: WaitLimits = {}): Promise<JsonObject> {
    await this.ready
    const { codec } = this.#state
    const asked = codec.encodeParams(method, params)
    return readAnswer(codec, method, await this.#outlet.ask(method, asked, withoutTimeout(wait)), params)
  }
}
