import type { HostTool } from '../toolbox.ts'

/** A tool that was found, and how well it fits; 1 is the best of this search. */
export interface FoundTool<Item = HostTool> {
  readonly item: Item
  readonly score: number
}

/** How much a word is worth, by the place where it stands. */
const weights = { name: 8, title: 5, server: 3, description: 2, schema: 1 } as const

const wordsOf = (text: string): string[] =>
  text
    .slice(0, 20_000)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** The singular and the stem of regular forms: `forecasts` and `forecasting` are `forecast`. */
const stem = (word: string): string =>
  word.length > 5 ? word.replace(/(?:ings?|edly|ed|ies|es|s)$/, '') : word.length > 3 ? word.replace(/s$/, '') : word

type Weights = ReadonlyMap<string, number>

/** The words of the tools, for searching. Made once for each state of the catalogue. */
export class ToolIndex<Item extends HostTool> {
  readonly #tools: readonly Item[]
  readonly #weights: readonly Weights[]
  /** Words that many tools have say little. */
  readonly #rarity = new Map<string, number>()

  constructor(tools: Iterable<Item>) {
    this.#tools = [...tools]
    this.#weights = this.#tools.map(weightsOf)
    for (const words of this.#weights) {
      for (const word of words.keys()) this.#rarity.set(word, (this.#rarity.get(word) ?? 0) + 1)
    }
    for (const [word, count] of this.#rarity) this.#rarity.set(word, Math.log(1 + this.#tools.length / count))
  }

  /** The tools that fit the words best, best first; ties by name. */
  search(query: string, limit: number): FoundTool<Item>[] {
    const wanted = [...new Set(wordsOf(query.slice(0, 1_000)).map(stem))].slice(0, 50)
    const scored = this.#tools
      .map((item, at) => ({ item, score: this.#score(this.#weights[at]!, wanted) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.item.name < b.item.name ? -1 : 1))
      .slice(0, limit)
    const best = scored[0]?.score ?? 1
    return scored.map(({ item, score }) => ({ item, score: score / best }))
  }

  #score(words: Weights, wanted: readonly string[]): number {
    let score = 0
    let hits = 0
    for (const word of wanted) {
      const weight = words.get(word) ?? this.#prefixWeight(words, word)
      if (weight === 0) continue
      hits++
      score += weight * (this.#rarity.get(word) ?? 1)
    }
    // A tool that has all the words comes before one that has a single word often.
    return wanted.length === 0 ? 0 : score * (hits / wanted.length) ** 2
  }

  #prefixWeight(words: Weights, word: string): number {
    if (word.length < 4) return 0
    for (const [known, weight] of words) if (known.startsWith(word)) return weight / 2
    return 0
  }
}

function weightsOf({ server, tool }: HostTool): Weights {
  const words = new Map<string, number>()
  const add = (text: string | undefined, weight: number): void => {
    for (const word of wordsOf(text ?? '').map(stem)) words.set(word, Math.max(words.get(word) ?? 0, weight))
  }
  add(tool.name, weights.name)
  add(tool.title ?? tool.annotations?.title, weights.title)
  add(server, weights.server)
  add(tool.description, weights.description)
  const { properties } = tool.inputSchema
  if (typeof properties === 'object' && properties !== null) {
    for (const [name, schema] of Object.entries(properties)) {
      add(name, weights.schema)
      const { description } = (schema ?? {}) as { description?: unknown }
      if (typeof description === 'string') add(description, weights.schema)
    }
  }
  return words
}
