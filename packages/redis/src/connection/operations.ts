/** The figures of one operation since the start. */
export interface OperationFigures {
  readonly count: number
  /** Those of them that failed. */
  readonly failed: number
  /** The time that all of them took together. */
  readonly totalMs: number
}

/** Counts the operations on Redis by their names. There are few names, and all are ours. */
export class Operations {
  readonly #figures = new Map<string, { count: number; failed: number; totalMs: number }>()

  async measure<T>(name: string, operation: Promise<T>): Promise<T> {
    const figures = this.#figures.get(name) ?? { count: 0, failed: 0, totalMs: 0 }
    this.#figures.set(name, figures)
    const started = performance.now()
    try {
      return await operation
    } catch (error) {
      figures.failed++
      throw error
    } finally {
      figures.count++
      figures.totalMs += performance.now() - started
    }
  }

  get figures(): { readonly [operation: string]: OperationFigures } {
    return Object.fromEntries([...this.#figures].map(([name, figures]) => [name, { ...figures }]))
  }
}
