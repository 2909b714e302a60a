const maxInsights = 1_000
const maxTotalLength = 1_000_000

export const memoUri = 'memo://insights'

/** Findings about the data, for as long as the server runs. The oldest make room. */
export class Insights {
  readonly #insights: string[] = []
  #length = 0

  add(insight: string): number {
    this.#insights.push(insight)
    this.#length += insight.length
    while (this.#insights.length > maxInsights || this.#length > maxTotalLength) {
      this.#length -= this.#insights.shift()!.length
    }
    return this.#insights.length
  }

  /** The memo of all of them. */
  memo(): string {
    if (this.#insights.length === 0) return 'No business insights have been discovered yet.'
    const lines = this.#insights.map((insight) => `- ${insight}`)
    return ['Business insights', '', ...lines, '', `${lines.length} in all.`].join('\n')
  }
}
