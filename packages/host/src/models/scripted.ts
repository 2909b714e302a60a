import { ChatError } from '../chat/chat-error.ts'
import { estimateTokens } from '../chat/usage.ts'
import type {
  LanguageModel,
  ModelAnswer,
  ModelCallOptions,
  ModelContent,
  ModelStreamPart,
  ModelUsage,
} from './language-model.ts'
import { fill, findRule, readFacts, type ScriptedReply, type ScriptedRule, type ScriptFacts } from './script.ts'

/** A scripted model: the interface of every other model, without a provider. */
export interface ScriptedModel extends LanguageModel {
  readonly provider: 'scripted'
  readonly supportedUrls: { [mediaType: string]: RegExp[] }
}

export interface ScriptedModelOptions {
  /** `scripted` if missing. */
  modelId?: string
  /** The characters of one piece of text. 16 if missing. */
  chunkSize?: number
}

function contentOf(reply: ScriptedReply, facts: ScriptFacts): ModelContent[] {
  const content: ModelContent[] = []
  if (reply.reasoning !== undefined) content.push({ type: 'reasoning', text: fill(reply.reasoning, facts) })
  if (reply.text !== undefined) content.push({ type: 'text', text: fill(reply.text, facts) })
  for (const [index, call] of (reply.calls ?? []).entries()) {
    // The count of messages before it makes the id the same in every run, and another one in each step.
    const toolCallId = call.id ?? `call-${facts.messages}-${index + 1}`
    const input = call.input ?? JSON.stringify(fill(call.arguments ?? {}, facts))
    content.push({ type: 'tool-call', toolCallId, toolName: call.name, input })
  }
  return content
}

function usageOf(reply: ScriptedReply, options: ModelCallOptions, content: ModelContent[]): ModelUsage {
  const input = reply.usage?.inputTokens ?? estimateTokens(JSON.stringify([options.prompt, options.tools]))
  const output = reply.usage?.outputTokens ?? estimateTokens(JSON.stringify(content))
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  }
}

/** An error such as the providers of the AI SDK throw. */
const failureOf = ({ status, message, headers }: NonNullable<ScriptedReply['error']>): Error =>
  Object.assign(new Error(message ?? `The script answers with status ${status}`), {
    name: 'AI_APICallError',
    statusCode: status,
    responseHeaders: headers ?? {},
  })

function answerOf(rules: readonly ScriptedRule[], options: ModelCallOptions): ModelAnswer & { cut: boolean } {
  options.abortSignal?.throwIfAborted()
  const facts = readFacts(options)
  const found = findRule(rules, facts)
  if (!found)
    throw new ChatError('model_unknown', `The script has no reply to ${JSON.stringify(facts.last.slice(0, 200))}`)
  const { rule, groups } = found
  if (rule.error) throw failureOf(rule.error)
  const content = contentOf(rule, { ...facts, groups })
  const unified = rule.finish ?? (rule.calls?.length ? 'tool-calls' : 'stop')
  return {
    content,
    finishReason: { unified, raw: unified },
    usage: usageOf(rule, options, content),
    response: { modelId: 'scripted' },
    warnings: [],
    cut: rule.cut ?? false,
  }
}

function* chunksOf(text: string, size: number): Generator<string> {
  const characters = Array.from(text)
  for (let start = 0; start < characters.length; start += size) yield characters.slice(start, start + size).join('')
}

function* partsOf(
  { content, finishReason, usage, cut }: ReturnType<typeof answerOf>,
  size: number,
): Generator<ModelStreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const [index, part] of content.entries()) {
    const id = String(index)
    if (part.type === 'text' || part.type === 'reasoning') {
      yield { type: `${part.type}-start`, id }
      for (const delta of chunksOf(part.text, size)) yield { type: `${part.type}-delta`, id, delta }
      yield { type: `${part.type}-end`, id }
    } else if (part.type === 'tool-call') {
      yield { type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName }
      for (const delta of chunksOf(part.input, size * 4)) yield { type: 'tool-input-delta', id: part.toolCallId, delta }
      yield { type: 'tool-input-end', id: part.toolCallId }
      yield part
    }
  }
  if (!cut) yield { type: 'finish', usage, finishReason }
}

/**
 * A model that follows a script: the first rule that fits answers. It has no state of its own, so the same prompt has
 * the same answer in every process.
 *
 * @example
 * ```ts
 * const model = scriptedModel([
 *   { when: /rain in (\w+)/, calls: [{ name: 'weather__forecast', arguments: { city: '{1}' } }] },
 *   { after: 'weather__forecast', text: 'The forecast says: {result}' },
 * ])
 * ```
 */
export function scriptedModel(rules: readonly ScriptedRule[], options: ScriptedModelOptions = {}): ScriptedModel {
  const { modelId = 'scripted', chunkSize = 16 } = options
  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    doGenerate: async (call) => answerOf(rules, call),
    async doStream(call) {
      const parts = partsOf(answerOf(rules, call), chunkSize)
      const stream = new ReadableStream<ModelStreamPart>(
        {
          pull(controller) {
            const { done, value } = parts.next()
            if (call.abortSignal?.aborted) controller.error(call.abortSignal.reason)
            else if (done) controller.close()
            else controller.enqueue(value)
          },
        },
        { highWaterMark: 0 },
      )
      return { stream }
    },
  }
}
