/** Keeps the end of a text that may be endless. */
export class TextTail {
  readonly #limit: number
  #text = ''

  constructor(limit: number) {
    this.#limit = limit
  }

  add(text: string): void {
    // Cut only when twice too long: a flood of short pieces would otherwise copy the whole tail each time.
    this.#text += text.length > this.#limit ? text.slice(-this.#limit) : text
    if (this.#text.length > 2 * this.#limit) this.#text = this.toString()
  }

  toString(): string {
    return this.#text.slice(-this.#limit)
  }
}
