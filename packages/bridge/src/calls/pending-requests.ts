import { ErrorCode, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { RawQuestion } from '@tenon/sdk/relay'
import type { InputRequest } from '@tenon/sdk/server'
import { cannotBeAsked } from '../errors.ts'
import { isInputRequest } from './input-capabilities.ts'

interface Pending {
  readonly question: RawQuestion
  settle(answer: JsonObject | Error): void
}

/** The call that carried the request has ended without a response. Another call may carry it. */
export class RequestAbandoned extends RpcError {
  constructor(reason: string) {
    super(ErrorCode.InternalError, reason)
  }
}

/** Requests of a server to a stateless client, until the client returns with the responses. */
export class PendingRequests {
  readonly #pending = new Map<string, Pending>()
  readonly #onAsked: () => void
  #count = 0

  constructor(onAsked: () => void) {
    this.#onAsked = onAsked
  }

  get size(): number {
    return this.#pending.size
  }

  /** The requests by key. No key is used twice. */
  get inputRequests(): { [key: string]: InputRequest } {
    const entries = [...this.#pending].map(([key, { question }]): [string, InputRequest] => [
      key,
      { method: question.method, params: question.params } as unknown as InputRequest,
    ])
    return Object.fromEntries(entries)
  }

  ask(question: RawQuestion): Promise<JsonObject> {
    if (!isInputRequest(question.method)) return Promise.reject(cannotBeAsked(question.method))
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

  /** Responses to requests that have been withdrawn are ignored. */
  answer(responses: { readonly [key: string]: JsonObject }): void {
    for (const [key, answer] of Object.entries(responses)) this.#pending.get(key)?.settle(answer)
  }

  /** Fails all: there will be no responses. */
  abandon(reason: string): void {
    for (const { settle } of [...this.#pending.values()]) settle(new RequestAbandoned(reason))
  }
}
