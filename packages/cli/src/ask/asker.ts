import {
  type ConnectOptions,
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitParams,
  type ElicitResult,
  ErrorCode,
  type InputContext,
  RpcError,
} from '@tenon/sdk/client'
import type { Terminal } from '../terminal/terminal.ts'
import type { Answers, GivenAnswer, GivenSample } from './answers.ts'
import { withExclusiveTerminal } from './exclusive-terminal.ts'

/** The prepared answers of a command. */
export interface Prepared {
  elicit?: Answers<GivenAnswer> | undefined
  sample?: Answers<GivenSample> | undefined
}

/** Answers elicitation and sampling requests: with prepared answers, by asking the user, or by declining. */
export class Asker {
  /** The current action of the command, such as the name of the tool that it calls. */
  during: string | undefined
  readonly #terminal: Terminal
  readonly #prepared: Prepared
  /** One question after the other, however many a server asks at once. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(terminal: Terminal, prepared: Prepared) {
    this.#terminal = terminal
    this.#prepared = prepared
  }

  get options(): Pick<ConnectOptions, 'elicit' | 'sample'> {
    return {
      elicit: (request, context) => this.#inTurn(() => this.#elicit(request, context)),
      sample: {
        handler: (request, context) => this.#inTurn(() => this.#sample(request, context)),
        // Tool use in sampling is declared only if somebody can choose a tool.
        tools: this.#prepared.sample !== undefined || this.#terminal.canAsk,
      },
    }
  }

  /** The same capabilities for every command: a session with a kept server is opened once, for all of them. */
  get sameForAll(): Pick<ConnectOptions, 'elicit' | 'sample'> {
    return {
      ...this.options,
      sample: { handler: (request, context) => this.#inTurn(() => this.#sample(request, context)), tools: true },
    }
  }

  async #elicit(request: ElicitParams, context: InputContext): Promise<ElicitResult> {
    const { elicit } = this.#prepared
    if (elicit) return (await import('./prepared-answers.ts')).preparedAnswer(request, elicit, this.#note)
    if (!this.#terminal.canAsk) {
      this.#note(`The server asks: ${request.message}`)
      if (request.mode === 'url') this.#note(`It wants you to visit ${request.url}`)
      this.#note('Declined, because there is no terminal to ask on; --elicit answers.')
      return { action: 'decline' }
    }
    const who = this.#who(context)
    if (request.mode === 'url') {
      const { askToVisit } = await import('./url-prompt.ts')
      return await withExclusiveTerminal(this.#terminal, () => askToVisit(request, who, this.#terminal, context.signal))
    }
    const { askForm } = await import('./form-prompt.ts')
    return await withExclusiveTerminal(this.#terminal, () => askForm(request, who, this.#terminal, context.signal))
  }

  async #sample(request: CreateMessageParams, context: InputContext): Promise<CreateMessageResult> {
    const { sample } = this.#prepared
    if (sample) return (await import('./prepared-answers.ts')).preparedSample(request, sample)
    if (!this.#terminal.canAsk) {
      this.#note('The server wants a model to write something: declined. --sample answers.')
      throw new RpcError(ErrorCode.UserRejected, 'User rejected sampling request')
    }
    const { askToWrite } = await import('./sampling-prompt.ts')
    return await withExclusiveTerminal(this.#terminal, () =>
      askToWrite(request, this.#who(context), this.#terminal, context.signal),
    )
  }

  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(ask, ask)
    this.#last = turn.catch(() => {})
    return turn
  }

  #who({ serverInfo }: InputContext): string {
    const name = serverInfo?.title ?? serverInfo?.name ?? 'The server'
    return this.during === undefined ? name : `${name} (${this.during})`
  }

  readonly #note = (text: string): void => this.#terminal.note(this.#terminal.notes.dim(text))
}
