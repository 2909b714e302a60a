import {
  type ConnectOptions,
  type CreateMessageResult,
  type ElicitResult,
  ErrorCode,
  RpcError,
} from '@tenon/sdk/client'
import { mismatches } from '../matchers.ts'
import type { Answer, CallsFile } from '../types.ts'

/** Answers requests of the server with the prepared answers of a call. */
export class PreparedAnswers {
  /** Requests of the server that differ from the expected ones. */
  failures: string[] = []
  #left: Answer[] = []

  /** Starts another call. */
  begin(answers: readonly Answer[]): void {
    this.failures = []
    this.#left = [...answers]
  }

  /** The failures of the call, with answers that the server did not ask for. */
  end(): string[] {
    const unused = this.#left.map(
      ({ kind }) => `the server did not ask for ${kind === 'elicit' ? 'input' : 'a message'}`,
    )
    this.#left = []
    return [...this.failures, ...unused]
  }

  /** The options of `connect`: only capabilities that some call of the file answers are declared. */
  options(file: CallsFile, server: string): ConnectOptions {
    const answers = file.calls.filter((call) => call.server === server).flatMap((call) => call.answers)
    return {
      ...(answers.some(({ kind }) => kind === 'elicit') && {
        elicit: ({ message }) => this.#elicit(message),
      }),
      ...(answers.some(({ kind }) => kind === 'sample') && {
        sample: (params) => this.#sample(JSON.stringify(params.messages)),
      }),
      ...(file.roots && { roots: file.roots }),
    }
  }

  #elicit(message: string): ElicitResult {
    const answer = this.#next('elicit', message)
    if (answer === undefined) return { action: 'decline' }
    const { action, content } = answer
    return action === 'accept' ? ({ action, content: content ?? {} } as ElicitResult) : { action }
  }

  #sample(asked: string): CreateMessageResult {
    const answer = this.#next('sample', asked)
    if (answer === undefined) throw new RpcError(ErrorCode.UserRejected, 'The call has no answer to this')
    return answer.result as unknown as CreateMessageResult
  }

  #next<Kind extends Answer['kind']>(kind: Kind, asked: string): (Answer & { kind: Kind }) | undefined {
    const index = this.#left.findIndex((answer) => answer.kind === kind)
    const [answer] = index < 0 ? [] : this.#left.splice(index, 1)
    if (answer === undefined) {
      this.failures.push(`the server asked ${JSON.stringify(asked.slice(0, 200))}, and the call has no answer`)
      return undefined
    }
    const wrong = answer.message === undefined ? [] : mismatches(asked, answer.message)
    if (wrong.length > 0) {
      this.failures.push(`the server asked ${JSON.stringify(asked.slice(0, 200))}, expected ${wrong.join(', ')}`)
    }
    return answer as Answer & { kind: Kind }
  }
}
