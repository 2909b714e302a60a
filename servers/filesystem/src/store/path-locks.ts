/** Lets one change of a path run after the other. */
export class PathLocks {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(path: string, step: () => Promise<T>): Promise<T> {
    const before = this.#last.get(path)
    const mine = before === undefined ? step() : before.then(step)
    const settled = mine.catch(() => {})
    this.#last.set(path, settled)
    try {
      return await mine
    } finally {
      if (this.#last.get(path) === settled) this.#last.delete(path)
    }
  }
}
