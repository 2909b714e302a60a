import type { ServerCapabilities, ServerDescription, TrafficEvent } from '@tenon/sdk/client'

/**
 * The capabilities in the words of the server. A client has those that follow from the revision too, such as completions
 * in 2024-11-05, where none could be declared.
 */
export class DeclaredCapabilities {
  #greetings: { protocolVersion?: unknown; capabilities: ServerCapabilities }[] = []
  #isAgreed = false

  /** Takes the messages of a connection that is being opened. */
  readonly take = ({ from, payload }: TrafficEvent): void => {
    if (this.#isAgreed || from !== 'server' || this.#greetings.length >= maxGreetings) return
    const { result } = (payload ?? {}) as { result?: { protocolVersion?: unknown; capabilities?: unknown } }
    if (typeof result?.capabilities !== 'object' || result.capabilities === null) return
    this.#greetings.push(result as { capabilities: ServerCapabilities })
  }

  /** Those of the answer that the connection was agreed on with: `initialize` names its revision. */
  of({ revision, capabilities }: ServerDescription): ServerCapabilities {
    const agreed =
      this.#greetings.findLast(({ protocolVersion }) => protocolVersion === revision) ??
      this.#greetings.findLast(({ protocolVersion }) => protocolVersion === undefined)
    this.#greetings = []
    this.#isAgreed = true
    return agreed?.capabilities ?? capabilities
  }
}

const maxGreetings = 8
