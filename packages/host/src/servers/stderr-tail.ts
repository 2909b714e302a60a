const maxChars = 64 * 1024

/** The last 64 KiB that a server wrote to its standard error. */
export class StderrTail {
  #text = ''

  add(text: string): void {
    const longer = this.#text + text
    this.#text = longer.length > maxChars ? longer.slice(-maxChars) : longer
  }

  get text(): string {
    return this.#text
  }
}
