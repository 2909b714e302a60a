import { HostError, type HostTool } from '@tenon/host'
import type { JsonObject } from '@tenon/sdk/client'
import type { Questions } from '../questions/questions.ts'

/** Asks the person before a model calls a tool, and remembers what is allowed in this conversation. */
export class PlaygroundConsent {
  readonly #questions: Questions
  readonly #allowed = new Set<string>()

  constructor(questions: Questions) {
    this.#questions = questions
  }

  /** The arguments that the person allows; throws if the call is declined. */
  async permit(
    server: string,
    { tool, warnings = [] }: HostTool,
    use: { id: string; args: JsonObject; signal: AbortSignal },
  ): Promise<JsonObject> {
    // With the definition: a tool that became another one is asked about again.
    const allowed = JSON.stringify([server, tool])
    if (this.#allowed.has(allowed)) return use.args
    const answer = await this.#questions.ask(
      {
        kind: 'consent',
        server,
        use: use.id,
        tool,
        arguments: use.args,
        warnings: warnings.map(({ message }) => message),
      },
      use.signal,
    )
    if (answer.action !== 'accept') throw new HostError('denied', 'The person declined this call')
    if (answer.always === true) this.#allowed.add(allowed)
    return answer.arguments ?? use.args
  }

  /** Everything is asked about again. */
  forget(): void {
    this.#allowed.clear()
  }
}
