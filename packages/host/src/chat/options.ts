import type { ProviderData } from '../models/language-model.ts'
import type { ChatLimits } from './limits.ts'
import type { MediaUse } from './model/media.ts'
import type { RetryOptions } from './model/model-step.ts'
import type { Transcript, UserPart } from './transcript/transcript.ts'
import type { ModelPrices } from './usage.ts'

/** The words of the user. Undefined goes on with the transcript, after a restart for example. */
export type ChatInput = string | UserPart[] | undefined

export interface ChatOptions {
  /** Stops the answer and the calls. The conversation ends with `done` and the reason `cancelled`. */
  signal?: AbortSignal
  /** Instructions for the model. */
  system?: string
  /** The conversation so far, which grows. A new one in memory if missing. */
  transcript?: Transcript
  limits?: Partial<ChatLimits>
  /** Lets the conversation count its cost. */
  prices?: ModelPrices
  retry?: RetryOptions
  /** A model that sends nothing for this long has failed. 5 minutes if missing. */
  modelTimeoutMs?: number
  /** As `timeoutMs` of a tool call. */
  callTimeoutMs?: number
  /** How the model takes pictures and sounds in results. By its provider if missing. */
  media?: MediaUse
  temperature?: number
  /** The longest answer. */
  maxOutputTokens?: number
  /** Options of the provider, such as its budget for reasoning. */
  providerOptions?: ProviderData
}
