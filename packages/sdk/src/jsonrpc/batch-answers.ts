import type { McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { AuthInfo } from './auth-info.ts'
import type { MessageSink, Sink } from './channel.ts'
import type { ErrorResponse, Payload, ResultResponse } from './message.ts'

type Answer = ResultResponse | ErrorResponse

/** Collects the answers to a batch, in the order of its requests, until each request is answered or cancelled. */
export class BatchAnswers implements MessageSink {
  /** The token of the batch authorizes each of its requests. */
  readonly auth: AuthInfo | undefined
  readonly #sink: Sink
  readonly #complete: (answers: Answer[], reason: McpError | undefined) => void
  readonly #answers: (Answer | undefined)[] = []
  /** Requests that are neither answered nor cancelled; and one more until the whole batch was read. */
  #open = 1
  #reason: McpError | undefined

  constructor(sink: Sink, complete: (answers: Answer[], reason: McpError | undefined) => void) {
    this.#sink = sink
    this.auth = sink.auth
    this.#complete = complete
  }

  /** Adds the answer to a message that was no request. */
  add(answer: Answer | undefined): void {
    this.#answers.push(answer)
  }

  /** Makes room for the answer to a request that is about to run. */
  expect(): number {
    this.#open++
    return this.#answers.push(undefined) - 1
  }

  /** Takes the answer to an expected request. Without one the request was cancelled, which `unanswered` has counted. */
  take(index: number, answer: Answer | undefined): void {
    if (answer === undefined) return
    this.#answers[index] = answer
    this.#settle()
  }

  /** The whole batch was read: no more requests follow. */
  close(): void {
    this.#settle()
  }

  /** Progress and requests of the handlers do not wait for the other answers. */
  send(payload: Payload): MaybePromise<void> {
    return this.#sink.send(payload)
  }

  unanswered(reason?: McpError): void {
    this.#reason = reason
    this.#settle()
  }

  #settle(): void {
    if (--this.#open > 0) return
    const given = this.#answers.filter((answer) => answer !== undefined)
    this.#complete(given, this.#reason)
  }
}
