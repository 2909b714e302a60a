/** The latest entries of something that pages produce without end. */
export class Journal<T> {
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #changed: () => void
  #entries: { readonly entry: T; readonly bytes: number }[] = []
  #bytes = 0
  #total = 0

  constructor(changed: () => void, maxEntries = 1_000, maxBytes = 500_000) {
    this.#changed = changed
    this.#maxEntries = maxEntries
    this.#maxBytes = maxBytes
  }

  /** How many there ever were; the oldest of them are forgotten. */
  get total(): number {
    return this.#total
  }

  add(entry: T): void {
    const bytes = Buffer.byteLength(JSON.stringify(entry))
    this.#entries.push({ entry, bytes })
    this.#bytes += bytes
    this.#total++
    while (this.#entries.length > this.#maxEntries || (this.#bytes > this.#maxBytes && this.#entries.length > 1)) {
      this.#bytes -= this.#entries.shift()!.bytes
    }
    this.#changed()
  }

  /** The entries from a number on, counted from the first one ever. */
  since(number = 0): T[] {
    const forgotten = this.#total - this.#entries.length
    return this.#entries.slice(Math.max(0, number - forgotten)).map(({ entry }) => entry)
  }
}

/** A text of a page, with a bound. */
export const shortened = (text: string, most = 2_000): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`
