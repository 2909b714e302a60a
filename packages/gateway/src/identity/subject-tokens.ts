import type { GatewayCaller } from '../model.ts'

/**
 * The access tokens of callers, for a token exchange. They are kept beside the callers, which rules, logs and audit see, and
 * no longer than those; the key is the object, so a request is exchanged with its own token and no other of the same person.
 */
export class SubjectTokens {
  readonly #tokens = new WeakMap<GatewayCaller, string>()

  set(caller: GatewayCaller, token: string): void {
    this.#tokens.set(caller, token)
  }

  get(caller: GatewayCaller): string | undefined {
    return this.#tokens.get(caller)
  }
}
