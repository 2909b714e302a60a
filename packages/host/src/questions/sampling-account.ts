import { type CreateMessageParams, ErrorCode, RpcError } from '@tenon/sdk/client'

interface SamplingLimits {
  maxTokens?: number
  maxTotalTokens?: number
}

/** The tokens that one server may still use. Counted are the tokens that were granted, which no answer exceeds. */
export class SamplingAccount {
  readonly #server: string
  readonly #maxTokens: number
  #left: number

  constructor(server: string, { maxTokens = 4_096, maxTotalTokens = 100_000 }: SamplingLimits) {
    this.#server = server
    this.#maxTokens = maxTokens
    this.#left = maxTotalTokens
  }

  /**
   * The request as the model may get it: within the limit, and without the wish for context. The host adds none, neither
   * of this server nor of others, so that nothing leaks into an answer.
   */
  bound({ includeContext: _, ...request }: CreateMessageParams): CreateMessageParams {
    const { maxTokens } = request
    // A negative number would be added to the account.
    if (!(maxTokens >= 1)) {
      throw new RpcError(ErrorCode.InvalidParams, `maxTokens: expected a number from 1, got ${String(maxTokens)}`)
    }
    if (this.#left <= 0) throw this.#spent()
    return { ...request, maxTokens: Math.floor(Math.min(maxTokens, this.#maxTokens, this.#left)) }
  }

  /** The same for the request that a person approved, and counts its tokens. */
  take(request: CreateMessageParams): CreateMessageParams {
    const bounded = this.bound(request)
    this.#left -= bounded.maxTokens
    return bounded
  }

  #spent(): RpcError {
    return new RpcError(ErrorCode.UserRejected, `${this.#server} has used all tokens that it may use`)
  }
}
