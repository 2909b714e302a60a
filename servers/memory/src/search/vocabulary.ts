/** New words are searched one by one until there are this many. */
const maxRecent = 2_000

/** All words of the memory, numbered, in a form in which a part of a word is found quickly. */
export class Vocabulary {
  readonly words: string[] = []
  readonly #ids = new Map<string, number>()
  #joined = '\n'
  #starts: number[] = []

  /** The number of a word; a new one gets the next. */
  idOf(word: string): number {
    const known = this.#ids.get(word)
    if (known !== undefined) return known
    const id = this.words.push(word) - 1
    this.#ids.set(word, id)
    return id
  }

  /** The numbers of the words that contain a text. */
  containing(part: string): number[] {
    if (this.words.length - this.#starts.length > maxRecent) this.#join()
    const found: number[] = []
    for (let at = this.#joined.indexOf(part); at >= 0; ) {
      const id = this.#wordAt(at)
      found.push(id)
      // The rest of this word would only be found again.
      at = this.#joined.indexOf(part, this.#starts[id]! + this.words[id]!.length)
    }
    for (let id = this.#starts.length; id < this.words.length; id++) {
      if (this.words[id]!.includes(part)) found.push(id)
    }
    return found
  }

  #join(): void {
    this.#joined = `\n${this.words.join('\n')}\n`
    let place = 1
    this.#starts = this.words.map((word) => {
      const start = place
      place += word.length + 1
      return start
    })
  }

  #wordAt(place: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= place) low = middle
      else high = middle - 1
    }
    return low
  }
}
