import { checkLimits } from '../check-limits.ts'
import { asLanguageModel } from '../models/accept-model.ts'
import type { AnyLanguageModel, LanguageModel } from '../models/language-model.ts'
import { resolveModel } from '../models/resolve.ts'
import type { Toolbox } from '../toolbox.ts'
import type { ChatEvent, DoneReason } from './events.ts'
import { type ChatLimits, withDefaults } from './limits.ts'
import { mediaUseOf } from './model/media.ts'
import type { ChatOptions } from './options.ts'
import type { CallContext } from './tools/built-in-tools.ts'
import { createDefinitions } from './tools/definitions.ts'
import { type Conversation, createConversation, textOf } from './transcript/conversation.ts'
import { createTranscript } from './transcript/transcript.ts'
import { costOf, noUsage, type TokenUsage } from './usage.ts'

/** The steps and tokens of one run of `chat`. */
interface Spent {
  steps: number
  usage: TokenUsage
}

/** One conversation while it runs. */
export interface Run {
  model: LanguageModel
  conversation: Conversation
  limits: ChatLimits
  options: ChatOptions
  context: CallContext
  define: ReturnType<typeof createDefinitions>
  spent: Spent
  /** The number of entries before this run. */
  start: number
}

export async function createRun(
  toolbox: Toolbox,
  model: AnyLanguageModel | string,
  options: ChatOptions,
  stop: AbortController,
): Promise<Run> {
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const limits = withDefaults(options.limits)
  const { modelTimeoutMs, callTimeoutMs, maxOutputTokens, retry = {} } = options
  checkLimits({ modelTimeoutMs, callTimeoutMs, maxOutputTokens }, 'chat')
  checkLimits(retry, 'chat.retry')
  const resolved = asLanguageModel(typeof model === 'string' ? await resolveModel(model) : model)
  const conversation = createConversation(options.transcript ?? createTranscript())
  const media = options.media ?? mediaUseOf(resolved.provider)
  return {
    model: resolved,
    conversation,
    limits,
    options,
    context: {
      toolbox,
      conversation,
      limits,
      media,
      signal,
      stop: () => stop.abort(),
      timeoutMs: options.callTimeoutMs,
    },
    define: createDefinitions(limits),
    spent: { steps: 0, usage: noUsage },
    start: conversation.entries.length,
  }
}

/** The limit that the run has reached, if any. */
export function limitReached({
  limits,
  spent,
  options,
}: Run): Extract<DoneReason, 'steps' | 'tokens' | 'cost'> | undefined {
  if (spent.steps >= limits.maxSteps) return 'steps'
  if (spent.usage.inputTokens + spent.usage.outputTokens >= limits.maxTokens) return 'tokens'
  return (costOf(spent.usage, options.prices) ?? 0) >= limits.maxCost ? 'cost' : undefined
}

export function doneEvent({ conversation, spent, options, start }: Run, reason: DoneReason): ChatEvent {
  // An answer of an earlier run is the answer if there was nothing left to say, and not if this run was cancelled.
  const from = reason === 'answered' ? 0 : start
  const last = conversation.entries.slice(from).findLast(({ type }) => type === 'assistant')
  const cost = costOf(spent.usage, options.prices)
  const text = last?.type === 'assistant' ? textOf(last) : ''
  return { type: 'done', reason, text, ...spent, ...(cost !== undefined && { cost }) }
}
