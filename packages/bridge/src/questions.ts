import { ErrorCode, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { RawQuestion } from '@tenon/sdk/relay'
import type { InputRequest } from '@tenon/sdk/server'
import { cannotBeAsked } from './errors.ts'
import { isQuestion } from './running.ts'

interface Pending {
  readonly question: RawQuestion
  settle(answer: JsonObject | Error): void
}

/** Nobody will bring the answer, because the call that the question went with is over. Another call may. */
export class GivenUp extends RpcError {
  constructor(reason: string) {
    super(ErrorCode.InternalError, reason)
  }
}

/** What a server asks while it works, until a client that cannot be asked at once has brought the answers. */
export class Questions {
  readonly #pending = new Map<string, Pending>()
  readonly #onAsked: () => void
  #count = 0

  constructor(onAsked: () => void) {
    this.#onAsked = onAsked
  }

  get size(): number {
    return this.#pending.size
  }

  /** The questions by keys, which are used once. */
  get requests(): { [key: string]: InputRequest } {
    const entries = [...this.#pending].map(([key, { question }]): [string, InputRequest] => [
      key,
      { method: question.method, params: question.params } as unknown as InputRequest,
    ])
    return Object.fromEntries(entries)
  }

  ask(question: RawQuestion): Promise<JsonObject> {
    if (!isQuestion(question.method)) return Promise.reject(cannotBeAsked(question.method))
    return new Promise((resolve, reject) => {
      const key = String(++this.#count)
      const settle = (answer: JsonObject | Error): void => {
        this.#pending.delete(key)
        question.signal.removeEventListener('abort', withdraw)
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      }
      const withdraw = (): void => settle(question.signal.reason as Error)
      question.signal.addEventListener('abort', withdraw, { once: true })
      this.#pending.set(key, { question, settle })
      this.#onAsked()
    })
  }

  /** Answers to what is asked no more are nobody's. */
  answer(responses: { readonly [key: string]: JsonObject }): void {
    for (const [key, answer] of Object.entries(responses)) this.#pending.get(key)?.settle(answer)
  }

  /** There will be no answers. */
  giveUp(reason: string): void {
    for (const { settle } of [...this.#pending.values()]) settle(new GivenUp(reason))
  }
}
