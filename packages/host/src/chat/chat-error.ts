/**
 * The reason why a conversation with a model failed.
 *
 * - `model_unknown`: the model's name or its script cannot be used
 * - `provider_missing`: the package of the provider is not installed
 * - `key_missing`: the provider needs an API key
 * - `unauthorized`: the provider did not accept the key
 * - `rate_limited`: the provider answered with 429, and so did the retries
 * - `overloaded`: the provider answered with 5xx, and so did the retries
 * - `rejected`: the provider did not accept the request
 * - `unreachable`: the provider could not be reached
 * - `refused`: the model or a filter of its provider declined to answer
 * - `cut_off`: the model's answer ended before it was complete
 * - `timeout`: the model sent nothing for too long
 * - `too_large`: the model's answer exceeds a limit
 * - `transcript_invalid`: the transcript cannot be read
 */
export type ChatErrorCode =
  | 'model_unknown'
  | 'provider_missing'
  | 'key_missing'
  | 'unauthorized'
  | 'rate_limited'
  | 'overloaded'
  | 'rejected'
  | 'unreachable'
  | 'refused'
  | 'cut_off'
  | 'timeout'
  | 'too_large'
  | 'transcript_invalid'

/** A conversation with a model cannot go on. */
export class ChatError extends Error {
  readonly code: ChatErrorCode
  /** The HTTP status of the provider, if there was one. */
  readonly status: number | undefined

  constructor(code: ChatErrorCode, message: string, options: ErrorOptions & { status?: number | undefined } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ChatError'
    this.code = code
    this.status = options.status
  }
}

/** Whether a value is a `ChatError`, also one of another copy of this package. */
export const isChatError = (value: unknown): value is ChatError => value instanceof Error && value.name === 'ChatError'
