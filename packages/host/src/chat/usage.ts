import type { ModelUsage } from '../models/language-model.ts'

/** The tokens of one step, or of many. */
export interface TokenUsage {
  /** All tokens of the prompt, the cached ones included. */
  inputTokens: number
  /** All tokens of the answer, the reasoning included. */
  outputTokens: number
  cachedInputTokens: number
  reasoningTokens: number
}

/** The prices of a model, in any currency, for a million tokens. */
export interface ModelPrices {
  input: number
  output: number
  /** The price of input tokens that were read from a cache. As `input` if missing. */
  cachedInput?: number
}

export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 }

export const addUsage = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
})

/** A rough count that holds for English and JSON: four bytes are a token. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

const countOf = (value: number | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** The usage that a model reported. A model that reports none is estimated, so that token limits hold for it too. */
export const toUsage = (
  usage: ModelUsage | undefined,
  estimateInput: () => number,
  estimateOutput: () => number,
): TokenUsage => ({
  inputTokens: countOf(usage?.inputTokens?.total) ?? estimateInput(),
  outputTokens: countOf(usage?.outputTokens?.total) ?? estimateOutput(),
  cachedInputTokens: countOf(usage?.inputTokens?.cacheRead) ?? 0,
  reasoningTokens: countOf(usage?.outputTokens?.reasoning) ?? 0,
})

/** The cost of tokens; undefined without prices. */
export function costOf(usage: TokenUsage, prices: ModelPrices | undefined): number | undefined {
  if (!prices) return undefined
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens)
  const input = (usage.inputTokens - cached) * prices.input + cached * (prices.cachedInput ?? prices.input)
  return (input + usage.outputTokens * prices.output) / 1_000_000
}
