/** Collects lines from `offset` on until a page is full, and knows how the next page begins. */
export class Page {
  readonly lines: string[] = []
  readonly #offset: number
  readonly #maxBytes: number
  #seen = 0
  #bytes = 0
  #isFull = false

  constructor(offset: number, maxBytes: number) {
    this.#offset = offset
    this.#maxBytes = maxBytes
  }

  /** Whether the line belongs to this page. False with `isFull` means that nothing more is wanted. */
  take(line: string): boolean {
    if (this.#seen++ < this.#offset) return false
    const size = Buffer.byteLength(line) + 1
    // The first line is always taken, so that pages go on.
    if (this.lines.length > 0 && this.#bytes + size > this.#maxBytes) {
      this.#isFull = true
      return false
    }
    this.#bytes += size
    this.lines.push(line)
    return true
  }

  get isFull(): boolean {
    return this.#isFull
  }

  /** The offset of the next page, if there is one. */
  get nextOffset(): number | undefined {
    return this.#isFull ? this.#offset + this.lines.length : undefined
  }
}

/** The sentence at the end of a page that is not the last. */
export const moreText = (next: number | undefined): string[] =>
  next === undefined ? [] : [`… more: call again with offset ${next}.`]
