import type { ModelMessage } from '../../models/language-model.ts'

const mark = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }

/**
 * Marks the instructions and the end of the conversation for the prompt cache of Anthropic, which caches nothing
 * unasked. Every step repeats the whole conversation, so without it a long one costs many times as much.
 */
export function withCacheMarks(prompt: ModelMessage[], provider: string): ModelMessage[] {
  if (!/anthropic/.test(provider)) return prompt
  const last = prompt.length - 1
  return prompt.map((message, index) =>
    index === last || message.role === 'system' ? { ...message, ...mark } : message,
  )
}
