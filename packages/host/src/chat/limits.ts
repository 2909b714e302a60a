/** Bounds of a conversation. A model and a server can both be hostile: everything that they send is counted. */
export interface ChatLimits {
  /** The answers of the model to one input. 32 if missing. */
  maxSteps: number
  /** Input and output tokens of all steps together. No limit if missing. */
  maxTokens: number
  /** In the currency of `prices`. No limit if missing. */
  maxCost: number
  /** Calls in one answer; further ones are not made. 32 if missing. */
  maxCallsPerStep: number
  /** Calls that run at the same time. 8 if missing. */
  maxParallelCalls: number
  /** Bytes of the arguments of one call. 1 MiB if missing. */
  maxArgumentBytes: number
  /** Bytes of one answer of the model. 16 MiB if missing. */
  maxAnswerBytes: number
  /** Bytes of text of one result that the model sees at once; the rest it can read in parts. 32 KiB if missing. */
  maxResultBytes: number
  /** Bytes of a result that are kept to be read in parts. 8 MiB if missing. */
  maxSpillBytes: number
  /** Bytes of all results that are kept to be read in parts. 64 MiB if missing. */
  maxSpilledBytes: number
  /** Bytes of the pictures and sounds of one result, in base64. 6 MiB if missing. */
  maxMediaBytes: number
  /** Tokens of all tool definitions. Above that the model gets a tool that searches for tools. 10,000 if missing. */
  maxDefinitionTokens: number
}

export const defaultLimits: ChatLimits = {
  maxSteps: 32,
  maxTokens: Number.POSITIVE_INFINITY,
  maxCost: Number.POSITIVE_INFINITY,
  maxCallsPerStep: 32,
  maxParallelCalls: 8,
  maxArgumentBytes: 1024 * 1024,
  maxAnswerBytes: 16 * 1024 * 1024,
  maxResultBytes: 32 * 1024,
  maxSpillBytes: 8 * 1024 * 1024,
  maxSpilledBytes: 64 * 1024 * 1024,
  maxMediaBytes: 6 * 1024 * 1024,
  maxDefinitionTokens: 10_000,
}

/** The limits of a conversation. A limit that is no positive number is a mistake of the caller. */
export function withDefaults(limits: Partial<ChatLimits> = {}): ChatLimits {
  const all = { ...defaultLimits }
  for (const name of Object.keys(defaultLimits) as (keyof ChatLimits)[]) {
    const value = limits[name]
    if (value === undefined) continue
    if (typeof value !== 'number' || !(value > 0))
      throw new TypeError(`limits.${name}: expected a positive number, got ${String(value)}`)
    all[name] = value
  }
  return all
}
