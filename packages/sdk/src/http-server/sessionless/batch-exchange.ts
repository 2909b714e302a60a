import { ErrorCode, RpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Sink } from '../../jsonrpc/channel.ts'
import { classify, explainInvalid } from '../../jsonrpc/classify.ts'
import type { Message, Payload, Request, ResultResponse } from '../../jsonrpc/message.ts'
import type { RequestExchange } from '../../server/dispatch/request-exchange.ts'
import { isAnswer } from '../../transport/is-answer.ts'
import { toJson } from '../../transport/to-json.ts'

/** The members of a batch that are answered. Wrong ones that no answer could name are reported. */
export const answeredMembers = (messages: readonly unknown[], report: (error: RpcError) => void): unknown[] =>
  messages.filter((member) => {
    const kind = classify(member)
    if (kind !== 'invalid' && kind !== 'batch') return kind === 'request'
    const { code, message, id } = explainInvalid(member)
    if (id === undefined) report(new RpcError(code, message))
    return id !== undefined
  })

/**
 * Answers the requests of a batch and sends the answers as one. They run one after the other: a batch has one slot among
 * the requests in flight.
 */
export class BatchExchange {
  readonly #sink: Sink
  readonly #report: (error: unknown) => string
  readonly #answers: Message[] = []
  readonly #running: RequestExchange[] = []
  #cancelled = false

  constructor(
    members: readonly unknown[],
    sink: Sink,
    start: (message: Request, sink: Sink) => RequestExchange,
    report: (error: unknown) => string,
  ) {
    this.#sink = sink
    this.#report = report
    members.forEach((member, index) => {
      const refused = refuseMember(member)
      if (refused === undefined) this.#running.push(start(member as Request, this.#memberSink(index)))
      else this.#answers[index] = refused
    })
  }

  async run(): Promise<void> {
    for (const each of this.#running) if (!this.#cancelled) await each.run()
    await this.#sink.send(this.#answers)
  }

  cancel(reason: string): void {
    this.#cancelled = true
    for (const each of this.#running) each.cancel(reason)
  }

  /** Answers wait for the others, everything else is sent at once. */
  #memberSink(index: number): Sink {
    return {
      send: (payload: Payload): MaybePromise<void> => {
        if (!isAnswer(payload)) return this.#sink.send(payload)
        this.#answers[index] = sendable(payload as Message, this.#report)
      },
    }
  }
}

/** The answer, or an error in its place if it cannot be written as JSON: the others of its batch can. */
function sendable(answer: Message, report: (error: unknown) => string): Message {
  try {
    toJson(answer)
    return answer
  } catch (error) {
    const message = `Internal error (id ${report(error)})`
    return { jsonrpc: '2.0', id: (answer as ResultResponse).id, error: { code: ErrorCode.InternalError, message } }
  }
}

function refuseMember(member: unknown): Message | undefined {
  if (classify(member) === 'invalid') {
    const { code, message, id } = explainInvalid(member)
    return { jsonrpc: '2.0', id: id!, error: { code, message } }
  }
  const { id, method } = member as Request
  if (method !== 'initialize') return undefined
  const message = 'Invalid request: initialize cannot be part of a batch'
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidRequest, message } }
}
