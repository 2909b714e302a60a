import type { ModelPrices } from '@tenon/host/chat'
import { usage } from '../../exit.ts'

/** The prices of models, for a million tokens. None is built in: they change, and differ by contract. */
export class Prices {
  readonly #byModel = new Map<string, ModelPrices>()

  /** Of `--price` lines: `3/15` is for the model that the chat begins with, `name=3/15` for that one. */
  constructor(lines: readonly string[], first: string) {
    for (const line of lines) {
      const equals = line.lastIndexOf('=')
      this.#byModel.set(equals < 0 ? first : line.slice(0, equals), readPrices(line.slice(equals + 1)))
    }
  }

  get isEmpty(): boolean {
    return this.#byModel.size === 0
  }

  /** The prices of a model by the name that it was chosen by, or by the one in a transcript. */
  of(name: string): ModelPrices | undefined {
    const named = this.#byModel.get(name)
    if (named !== undefined) return named
    return [...this.#byModel].find(([known]) => modelIn(known) === modelIn(name))?.[1]
  }
}

/** The model without its provider: transcripts write another one than people. */
const modelIn = (name: string): string => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('#')) + 1)

function readPrices(text: string): ModelPrices {
  const parts = text.split('/').map((part) => (/^\d+(?:\.\d+)?$/.test(part.trim()) ? Number(part) : Number.NaN))
  const [input, output, cachedInput] = parts
  if (input === undefined || output === undefined || parts.length > 3 || parts.some(Number.isNaN)) {
    throw usage(
      `--price: expected read/written for a million tokens, got ${JSON.stringify(text)}`,
      'For example --price 3/15, or 3/15/0.3 with the price of tokens that were read from a cache.',
    )
  }
  return { input, output, ...(cachedInput !== undefined && { cachedInput }) }
}

/** An amount of money, in the currency of the prices. */
export const moneyWords = (cost: number): string => `cost ${cost >= 1 ? cost.toFixed(2) : cost.toFixed(4)}`
