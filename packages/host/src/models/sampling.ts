import type { CreateMessageParams, CreateMessageResult, SamplingContent } from '@tenon/sdk/client'
import { parseArguments } from '../chat/calls/arguments.ts'
import { ChatError } from '../chat/chat-error.ts'
import { type ChatLimits, withDefaults } from '../chat/limits.ts'
import type { StreamedAnswer } from '../chat/model/answer.ts'
import { type MediaUse, mediaUseOf } from '../chat/model/media.ts'
import { toChatError } from '../chat/model/model-failure.ts'
import { askModel, type RetryOptions } from '../chat/model/model-step.ts'
import { adaptInputSchema } from '../chat/tools/tool-schema.ts'
import { asLanguageModel } from './accept-model.ts'
import type { AnyLanguageModel, LanguageModel, ModelCallOptions } from './language-model.ts'
import { toMessages } from './sampling-messages.ts'

export interface SampleOptions {
  /** The longest answer, whatever the server asks for. */
  maxTokens?: number
  signal?: AbortSignal
  retry?: RetryOptions
  /** A model that sends nothing for this long has failed. 5 minutes if missing. */
  modelTimeoutMs?: number
}

const rejected = (message: string): ChatError => new ChatError('rejected', message)

/** The names that every provider takes. */
const toolName = /^[a-zA-Z0-9_-]{1,128}$/

function toRequest(
  request: CreateMessageParams,
  options: SampleOptions,
  limits: ChatLimits,
  media: MediaUse,
): ModelCallOptions {
  const tools = (request.tools ?? []).map(({ name, description, inputSchema }) => {
    if (!toolName.test(name)) throw rejected(`Models do not take a tool named ${JSON.stringify(name.slice(0, 128))}`)
    const { schema } = adaptInputSchema(inputSchema)
    return { type: 'function', name, ...(description && { description }), inputSchema: schema } as const
  })
  const { temperature, stopSequences, toolChoice } = request
  return {
    prompt: toMessages(request, limits, media),
    maxOutputTokens: Math.min(request.maxTokens, options.maxTokens ?? Number.POSITIVE_INFINITY),
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences !== undefined && { stopSequences }),
    ...(tools.length > 0 && { tools, toolChoice: { type: toolChoice?.mode ?? 'auto' } as const }),
  }
}

function toContent(answer: StreamedAnswer, limits: ChatLimits): SamplingContent[] {
  return answer.parts.flatMap((part): SamplingContent[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    // The reasoning belongs to the host: a server asked for the answer.
    if (part.type === 'reasoning') return []
    if (part.type === 'media') {
      const kind = part.mediaType.startsWith('image/')
        ? 'image'
        : part.mediaType.startsWith('audio/')
          ? 'audio'
          : undefined
      return kind ? [{ type: kind, data: part.data, mimeType: part.mediaType }] : []
    }
    const parsed = parseArguments(part.input, limits)
    if ('problem' in parsed) throw rejected(`The model called ${part.name.slice(0, 128)} wrongly. ${parsed.problem}`)
    return [{ type: 'tool_use', id: part.id, name: part.name, input: parsed.value }]
  })
}

function stopReasonOf({ finish, parts }: StreamedAnswer): string {
  if (parts.some(({ type }) => type === 'written-call')) return 'toolUse'
  if (finish?.unified === 'length') return 'maxTokens'
  return finish?.raw === 'stop_sequence' ? 'stopSequence' : 'endTurn'
}

async function answerOf(
  model: LanguageModel,
  request: ModelCallOptions,
  options: SampleOptions,
  limits: ChatLimits,
): Promise<StreamedAnswer> {
  const signal = options.signal ?? new AbortController().signal
  const step = { limits, signal, retry: options.retry ?? {}, idleTimeoutMs: options.modelTimeoutMs ?? 300_000 }
  const events = askModel(model, request, step, () => {})
  while (true) {
    const { done, value } = await events.next()
    if (done) return value
  }
}

/**
 * Answers a sampling request of a server with a model. Consent is for the caller to ask.
 *
 * @example
 * ```ts
 * const client = await connect(target, { sample: (request, { signal }) => sampleWith(model, request, { signal }) })
 * ```
 */
export async function sampleWith(
  model: AnyLanguageModel,
  request: CreateMessageParams,
  options: SampleOptions = {},
): Promise<CreateMessageResult> {
  const limits = withDefaults()
  const asked = asLanguageModel(model)
  try {
    const answer = await answerOf(
      asked,
      toRequest(request, options, limits, mediaUseOf(asked.provider)),
      options,
      limits,
    )
    const content = toContent(answer, limits)
    const [only = { type: 'text' as const, text: '' }] = content
    return {
      role: 'assistant',
      content: content.length > 1 ? content : only,
      model: asked.modelId,
      stopReason: stopReasonOf(answer),
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    throw toChatError(error)
  }
}
